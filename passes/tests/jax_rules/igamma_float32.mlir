// x: 0.0 1.000000013351432e-10 0.25 1.0 2.0 5.0 10.0 30.0
// vjp: 0.0 1.0000006378518833e-10 0.19470010697841644 0.3678792715072632 0.27067044377326965 0.0336897186934948 0.0004539990914054215 2.807286954981114e-12
// jvp: 0.0 1.0000006378518833e-10 0.19470010697841644 0.3678792715072632 0.27067044377326965 0.0336897186934948 0.0004539990914054215 2.807286954981114e-12
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %2 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %3 = stablehlo.or %1, %2 : tensor<8xi1>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.compare EQ, %arg0, %4, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.compare EQ, %0, %6, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.compare EQ, %arg0, %8, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.compare LT, %arg0, %10, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.compare LT, %0, %12, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %14 = stablehlo.and %7, %9 : tensor<8xi1>
    %15 = stablehlo.or %11, %13 : tensor<8xi1>
    %16 = stablehlo.or %15, %14 : tensor<8xi1>
    %17 = stablehlo.or %16, %3 : tensor<8xi1>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %19 = stablehlo.compare GE, %arg0, %18, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %20 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %21 = stablehlo.and %19, %20 : tensor<8xi1>
    %22 = stablehlo.log %arg0 : tensor<8xf32>
    %23 = stablehlo.multiply %0, %22 : tensor<8xf32>
    %24 = stablehlo.subtract %23, %arg0 : tensor<8xf32>
    %25 = chlo.lgamma %0 : tensor<8xf32> -> tensor<8xf32>
    %26 = stablehlo.subtract %24, %25 : tensor<8xf32>
    %cst_6 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %27 = stablehlo.log %cst_6 : tensor<f32>
    %28 = stablehlo.negate %27 : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %30 = stablehlo.compare LT, %26, %29, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %31 = stablehlo.exponential %26 : tensor<8xf32>
    %32 = stablehlo.or %9, %17 : tensor<8xi1>
    %33 = stablehlo.or %32, %30 : tensor<8xi1>
    %34 = stablehlo.or %33, %5 : tensor<8xi1>
    %35 = stablehlo.not %34 : tensor<8xi1>
    %36 = stablehlo.and %35, %21 : tensor<8xi1>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.subtract %37, %0 : tensor<8xf32>
    %39 = stablehlo.add %arg0, %38 : tensor<8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %41 = stablehlo.add %39, %40 : tensor<8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %44 = stablehlo.add %arg0, %43 : tensor<8xf32>
    %45 = stablehlo.multiply %41, %arg0 : tensor<8xf32>
    %46 = stablehlo.divide %44, %45 : tensor<8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %51 = stablehlo.negate %arg0 : tensor<8xf32>
    %52 = stablehlo.multiply %46, %51 : tensor<8xf32>
    %53 = stablehlo.subtract %50, %52 : tensor<8xf32>
    %54 = stablehlo.divide %53, %45 : tensor<8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55:15 = stablehlo.while(%iterArg = %36, %iterArg_24 = %46, %iterArg_25 = %47, %iterArg_26 = %38, %iterArg_27 = %41, %iterArg_28 = %cst_15, %iterArg_29 = %44, %iterArg_30 = %45, %iterArg_31 = %42, %iterArg_32 = %arg0, %iterArg_33 = %48, %iterArg_34 = %49, %iterArg_35 = %50, %iterArg_36 = %51, %iterArg_37 = %54) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %cst_38 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %75 = stablehlo.compare LT, %iterArg_28, %cst_38, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %76 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      %77 = stablehlo.and %75, %76 : tensor<i1>
      stablehlo.return %77 : tensor<i1>
    } do {
      %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %75 = stablehlo.add %iterArg_28, %cst_38 : tensor<f32>
      %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %76 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %77 = stablehlo.add %iterArg_26, %76 : tensor<8xf32>
      %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %78 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %79 = stablehlo.add %iterArg_27, %78 : tensor<8xf32>
      %80 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %81 = stablehlo.multiply %77, %80 : tensor<8xf32>
      %82 = stablehlo.multiply %iterArg_29, %79 : tensor<8xf32>
      %83 = stablehlo.multiply %iterArg_31, %81 : tensor<8xf32>
      %84 = stablehlo.subtract %82, %83 : tensor<8xf32>
      %85 = stablehlo.multiply %iterArg_30, %79 : tensor<8xf32>
      %86 = stablehlo.multiply %iterArg_32, %81 : tensor<8xf32>
      %87 = stablehlo.subtract %85, %86 : tensor<8xf32>
      %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %88 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %89 = stablehlo.compare NE, %87, %88, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %90 = stablehlo.divide %84, %87 : tensor<8xf32>
      %91 = stablehlo.subtract %iterArg_24, %90 : tensor<8xf32>
      %92 = stablehlo.divide %91, %90 : tensor<8xf32>
      %93 = stablehlo.abs %92 : tensor<8xf32>
      %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %94 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %95 = stablehlo.select %89, %93, %94 : tensor<8xi1>, tensor<8xf32>
      %96 = stablehlo.select %89, %90, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %97 = stablehlo.multiply %iterArg_35, %79 : tensor<8xf32>
      %98 = stablehlo.subtract %97, %iterArg_29 : tensor<8xf32>
      %99 = stablehlo.multiply %iterArg_33, %81 : tensor<8xf32>
      %100 = stablehlo.subtract %98, %99 : tensor<8xf32>
      %101 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %102 = stablehlo.multiply %iterArg_31, %101 : tensor<8xf32>
      %103 = stablehlo.add %100, %102 : tensor<8xf32>
      %104 = stablehlo.multiply %iterArg_36, %79 : tensor<8xf32>
      %105 = stablehlo.subtract %104, %iterArg_30 : tensor<8xf32>
      %106 = stablehlo.multiply %iterArg_34, %81 : tensor<8xf32>
      %107 = stablehlo.subtract %105, %106 : tensor<8xf32>
      %108 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %109 = stablehlo.multiply %iterArg_32, %108 : tensor<8xf32>
      %110 = stablehlo.add %107, %109 : tensor<8xf32>
      %111 = stablehlo.multiply %96, %110 : tensor<8xf32>
      %112 = stablehlo.subtract %103, %111 : tensor<8xf32>
      %113 = stablehlo.divide %112, %87 : tensor<8xf32>
      %114 = stablehlo.select %89, %113, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      %115 = stablehlo.subtract %114, %iterArg_37 : tensor<8xf32>
      %116 = stablehlo.abs %115 : tensor<8xf32>
      %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %117 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %118 = stablehlo.select %89, %116, %117 : tensor<8xi1>, tensor<8xf32>
      %119 = stablehlo.abs %84 : tensor<8xf32>
      %cst_44 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %120 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<f32>
      %121 = stablehlo.divide %120, %cst_44 : tensor<f32>
      %122 = stablehlo.broadcast_in_dim %121, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %123 = stablehlo.compare GT, %119, %122, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_46 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %124 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %125 = stablehlo.multiply %iterArg_29, %124 : tensor<8xf32>
      %126 = stablehlo.select %123, %125, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %cst_47 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %127 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %128 = stablehlo.multiply %84, %127 : tensor<8xf32>
      %129 = stablehlo.select %123, %128, %84 : tensor<8xi1>, tensor<8xf32>
      %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %130 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %131 = stablehlo.multiply %iterArg_30, %130 : tensor<8xf32>
      %132 = stablehlo.select %123, %131, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %cst_49 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %133 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %134 = stablehlo.multiply %87, %133 : tensor<8xf32>
      %135 = stablehlo.select %123, %134, %87 : tensor<8xi1>, tensor<8xf32>
      %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %136 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %137 = stablehlo.multiply %iterArg_35, %136 : tensor<8xf32>
      %138 = stablehlo.select %123, %137, %iterArg_35 : tensor<8xi1>, tensor<8xf32>
      %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %139 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %140 = stablehlo.multiply %iterArg_36, %139 : tensor<8xf32>
      %141 = stablehlo.select %123, %140, %iterArg_36 : tensor<8xi1>, tensor<8xf32>
      %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %142 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %143 = stablehlo.multiply %103, %142 : tensor<8xf32>
      %144 = stablehlo.select %123, %143, %103 : tensor<8xi1>, tensor<8xf32>
      %cst_53 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %145 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %146 = stablehlo.multiply %110, %145 : tensor<8xf32>
      %147 = stablehlo.select %123, %146, %110 : tensor<8xi1>, tensor<8xf32>
      %cst_54 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %148 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %149 = stablehlo.compare GT, %95, %148, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %150 = stablehlo.and %iterArg, %149 : tensor<8xi1>
      %151 = stablehlo.select %iterArg, %96, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %152 = stablehlo.select %iterArg, %95, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %153 = stablehlo.select %iterArg, %77, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %154 = stablehlo.select %iterArg, %79, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %155 = stablehlo.select %iterArg, %129, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %156 = stablehlo.select %iterArg, %135, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %157 = stablehlo.select %iterArg, %126, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      %158 = stablehlo.select %iterArg, %132, %iterArg_32 : tensor<8xi1>, tensor<8xf32>
      %159 = stablehlo.select %iterArg, %138, %iterArg_33 : tensor<8xi1>, tensor<8xf32>
      %160 = stablehlo.select %iterArg, %141, %iterArg_34 : tensor<8xi1>, tensor<8xf32>
      %161 = stablehlo.select %iterArg, %144, %iterArg_35 : tensor<8xi1>, tensor<8xf32>
      %162 = stablehlo.select %iterArg, %147, %iterArg_36 : tensor<8xi1>, tensor<8xf32>
      %163 = stablehlo.select %iterArg, %114, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %150, %151, %152, %153, %154, %75, %155, %156, %157, %158, %159, %160, %161, %162, %163 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %56 = stablehlo.multiply %55#1, %31 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %58 = stablehlo.subtract %57, %56 : tensor<8xf32>
    %59 = stablehlo.not %21 : tensor<8xi1>
    %60 = stablehlo.and %35, %59 : tensor<8xi1>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %65:7 = stablehlo.while(%iterArg = %60, %iterArg_24 = %0, %iterArg_25 = %61, %iterArg_26 = %62, %iterArg_27 = %arg0, %iterArg_28 = %63, %iterArg_29 = %64) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %75 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %75 : tensor<i1>
    } do {
      %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %75 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %76 = stablehlo.add %iterArg_24, %75 : tensor<8xf32>
      %77 = stablehlo.divide %iterArg_27, %76 : tensor<8xf32>
      %78 = stablehlo.multiply %iterArg_28, %77 : tensor<8xf32>
      %79 = stablehlo.multiply %iterArg_25, %iterArg_27 : tensor<8xf32>
      %80 = stablehlo.multiply %76, %76 : tensor<8xf32>
      %81 = stablehlo.divide %79, %80 : tensor<8xf32>
      %82 = stablehlo.subtract %78, %81 : tensor<8xf32>
      %83 = stablehlo.add %iterArg_29, %82 : tensor<8xf32>
      %84 = stablehlo.divide %iterArg_27, %76 : tensor<8xf32>
      %85 = stablehlo.multiply %iterArg_25, %84 : tensor<8xf32>
      %86 = stablehlo.add %iterArg_26, %85 : tensor<8xf32>
      %87 = stablehlo.divide %85, %86 : tensor<8xf32>
      %cst_31 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %88 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %89 = stablehlo.compare GT, %87, %88, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %90 = stablehlo.and %iterArg, %89 : tensor<8xi1>
      %91 = stablehlo.select %iterArg, %76, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %92 = stablehlo.select %iterArg, %85, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %93 = stablehlo.select %iterArg, %86, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %94 = stablehlo.select %iterArg, %iterArg_27, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %95 = stablehlo.select %iterArg, %82, %iterArg_28 : tensor<8xi1>, tensor<8xf32>
      %96 = stablehlo.select %iterArg, %83, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %90, %91, %92, %93, %94, %95, %96 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %66 = stablehlo.multiply %65#3, %31 : tensor<8xf32>
    %67 = stablehlo.divide %66, %0 : tensor<8xf32>
    %68 = stablehlo.select %21, %58, %67 : tensor<8xi1>, tensor<8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %70 = stablehlo.select %9, %69, %68 : tensor<8xi1>, tensor<8xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %72 = stablehlo.select %5, %71, %70 : tensor<8xi1>, tensor<8xf32>
    %cst_23 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %74 = stablehlo.select %17, %73, %72 : tensor<8xi1>, tensor<8xf32>
    return %74 : tensor<8xf32>
  }
}
