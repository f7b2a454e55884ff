// x: 0.0 1.000000013351432e-10 0.25 1.0 2.0 5.0 10.0 30.0
// vjp: 1.0 1.0 1.0 -0.3678792715072632 -0.27067044377326965 -0.0336897186934948 -0.0004539990914054215 -2.807286954981114e-12
// jvp: 1.0 1.0 1.0 -0.3678792715072632 -0.27067044377326965 -0.0336897186934948 -0.0004539990914054215 -2.807286954981114e-12
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %4 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %5 = stablehlo.or %3, %4 : tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.compare EQ, %2, %6, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.compare EQ, %arg0, %8, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.compare EQ, %arg0, %10, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.compare LT, %arg0, %12, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %15 = stablehlo.compare LT, %2, %14, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %16 = stablehlo.and %7, %9 : tensor<8xi1>
    %17 = stablehlo.or %13, %15 : tensor<8xi1>
    %18 = stablehlo.or %17, %16 : tensor<8xi1>
    %19 = stablehlo.or %18, %5 : tensor<8xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.compare LT, %arg0, %20, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %22 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %23 = stablehlo.or %21, %22 : tensor<8xi1>
    %24 = stablehlo.log %arg0 : tensor<8xf32>
    %25 = stablehlo.multiply %2, %24 : tensor<8xf32>
    %26 = stablehlo.subtract %25, %arg0 : tensor<8xf32>
    %27 = chlo.lgamma %2 : tensor<8xf32> -> tensor<8xf32>
    %28 = stablehlo.subtract %26, %27 : tensor<8xf32>
    %cst_7 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %29 = stablehlo.log %cst_7 : tensor<f32>
    %30 = stablehlo.negate %29 : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %32 = stablehlo.compare LT, %28, %31, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %33 = stablehlo.or %19, %32 : tensor<8xi1>
    %34 = stablehlo.or %33, %11 : tensor<8xi1>
    %35 = stablehlo.or %34, %7 : tensor<8xi1>
    %36 = stablehlo.not %35 : tensor<8xi1>
    %37 = stablehlo.exponential %28 : tensor<8xf32>
    %38 = stablehlo.and %36, %23 : tensor<8xi1>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43:7 = stablehlo.while(%iterArg = %38, %iterArg_24 = %2, %iterArg_25 = %39, %iterArg_26 = %40, %iterArg_27 = %arg0, %iterArg_28 = %41, %iterArg_29 = %42) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %77 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %77 : tensor<i1>
    } do {
      %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %77 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %78 = stablehlo.add %iterArg_24, %77 : tensor<8xf32>
      %79 = stablehlo.divide %iterArg_27, %78 : tensor<8xf32>
      %80 = stablehlo.multiply %iterArg_28, %79 : tensor<8xf32>
      %81 = stablehlo.multiply %iterArg_25, %iterArg_27 : tensor<8xf32>
      %82 = stablehlo.multiply %78, %78 : tensor<8xf32>
      %83 = stablehlo.divide %81, %82 : tensor<8xf32>
      %84 = stablehlo.subtract %80, %83 : tensor<8xf32>
      %85 = stablehlo.add %iterArg_29, %84 : tensor<8xf32>
      %86 = stablehlo.divide %iterArg_27, %78 : tensor<8xf32>
      %87 = stablehlo.multiply %iterArg_25, %86 : tensor<8xf32>
      %88 = stablehlo.add %iterArg_26, %87 : tensor<8xf32>
      %89 = stablehlo.divide %87, %88 : tensor<8xf32>
      %cst_31 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %90 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %91 = stablehlo.compare GT, %89, %90, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %92 = stablehlo.and %iterArg, %91 : tensor<8xi1>
      %93 = stablehlo.select %iterArg, %78, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %94 = stablehlo.select %iterArg, %87, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %95 = stablehlo.select %iterArg, %88, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %96 = stablehlo.select %iterArg, %iterArg_27, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %97 = stablehlo.select %iterArg, %84, %iterArg_28 : tensor<8xi1>, tensor<8xf32>
      %98 = stablehlo.select %iterArg, %85, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %92, %93, %94, %95, %96, %97, %98 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %44 = stablehlo.multiply %43#3, %37 : tensor<8xf32>
    %45 = stablehlo.divide %44, %2 : tensor<8xf32>
    %46 = stablehlo.not %23 : tensor<8xi1>
    %47 = stablehlo.and %36, %46 : tensor<8xi1>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %49 = stablehlo.subtract %48, %2 : tensor<8xf32>
    %50 = stablehlo.add %arg0, %49 : tensor<8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.add %50, %51 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.add %arg0, %54 : tensor<8xf32>
    %56 = stablehlo.multiply %52, %arg0 : tensor<8xf32>
    %57 = stablehlo.divide %55, %56 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %62 = stablehlo.negate %arg0 : tensor<8xf32>
    %63 = stablehlo.multiply %57, %62 : tensor<8xf32>
    %64 = stablehlo.subtract %61, %63 : tensor<8xf32>
    %65 = stablehlo.divide %64, %56 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66:15 = stablehlo.while(%iterArg = %47, %iterArg_24 = %57, %iterArg_25 = %58, %iterArg_26 = %49, %iterArg_27 = %52, %iterArg_28 = %cst_20, %iterArg_29 = %55, %iterArg_30 = %56, %iterArg_31 = %53, %iterArg_32 = %arg0, %iterArg_33 = %59, %iterArg_34 = %60, %iterArg_35 = %61, %iterArg_36 = %62, %iterArg_37 = %65) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %cst_38 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %77 = stablehlo.compare LT, %iterArg_28, %cst_38, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %78 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      %79 = stablehlo.and %77, %78 : tensor<i1>
      stablehlo.return %79 : tensor<i1>
    } do {
      %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %77 = stablehlo.add %iterArg_28, %cst_38 : tensor<f32>
      %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %78 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %79 = stablehlo.add %iterArg_26, %78 : tensor<8xf32>
      %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %80 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %81 = stablehlo.add %iterArg_27, %80 : tensor<8xf32>
      %82 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %83 = stablehlo.multiply %79, %82 : tensor<8xf32>
      %84 = stablehlo.multiply %iterArg_29, %81 : tensor<8xf32>
      %85 = stablehlo.multiply %iterArg_31, %83 : tensor<8xf32>
      %86 = stablehlo.subtract %84, %85 : tensor<8xf32>
      %87 = stablehlo.multiply %iterArg_30, %81 : tensor<8xf32>
      %88 = stablehlo.multiply %iterArg_32, %83 : tensor<8xf32>
      %89 = stablehlo.subtract %87, %88 : tensor<8xf32>
      %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %90 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %91 = stablehlo.compare NE, %89, %90, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %92 = stablehlo.divide %86, %89 : tensor<8xf32>
      %93 = stablehlo.subtract %iterArg_24, %92 : tensor<8xf32>
      %94 = stablehlo.divide %93, %92 : tensor<8xf32>
      %95 = stablehlo.abs %94 : tensor<8xf32>
      %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %96 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %97 = stablehlo.select %91, %95, %96 : tensor<8xi1>, tensor<8xf32>
      %98 = stablehlo.select %91, %92, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %99 = stablehlo.multiply %iterArg_35, %81 : tensor<8xf32>
      %100 = stablehlo.subtract %99, %iterArg_29 : tensor<8xf32>
      %101 = stablehlo.multiply %iterArg_33, %83 : tensor<8xf32>
      %102 = stablehlo.subtract %100, %101 : tensor<8xf32>
      %103 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %104 = stablehlo.multiply %iterArg_31, %103 : tensor<8xf32>
      %105 = stablehlo.add %102, %104 : tensor<8xf32>
      %106 = stablehlo.multiply %iterArg_36, %81 : tensor<8xf32>
      %107 = stablehlo.subtract %106, %iterArg_30 : tensor<8xf32>
      %108 = stablehlo.multiply %iterArg_34, %83 : tensor<8xf32>
      %109 = stablehlo.subtract %107, %108 : tensor<8xf32>
      %110 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %111 = stablehlo.multiply %iterArg_32, %110 : tensor<8xf32>
      %112 = stablehlo.add %109, %111 : tensor<8xf32>
      %113 = stablehlo.multiply %98, %112 : tensor<8xf32>
      %114 = stablehlo.subtract %105, %113 : tensor<8xf32>
      %115 = stablehlo.divide %114, %89 : tensor<8xf32>
      %116 = stablehlo.select %91, %115, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      %117 = stablehlo.subtract %116, %iterArg_37 : tensor<8xf32>
      %118 = stablehlo.abs %117 : tensor<8xf32>
      %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %119 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %120 = stablehlo.select %91, %118, %119 : tensor<8xi1>, tensor<8xf32>
      %121 = stablehlo.abs %86 : tensor<8xf32>
      %cst_44 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %122 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<f32>
      %123 = stablehlo.divide %122, %cst_44 : tensor<f32>
      %124 = stablehlo.broadcast_in_dim %123, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %125 = stablehlo.compare GT, %121, %124, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_46 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %126 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %127 = stablehlo.multiply %iterArg_29, %126 : tensor<8xf32>
      %128 = stablehlo.select %125, %127, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %cst_47 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %129 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %130 = stablehlo.multiply %86, %129 : tensor<8xf32>
      %131 = stablehlo.select %125, %130, %86 : tensor<8xi1>, tensor<8xf32>
      %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %132 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %133 = stablehlo.multiply %iterArg_30, %132 : tensor<8xf32>
      %134 = stablehlo.select %125, %133, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %cst_49 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %135 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %136 = stablehlo.multiply %89, %135 : tensor<8xf32>
      %137 = stablehlo.select %125, %136, %89 : tensor<8xi1>, tensor<8xf32>
      %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %138 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %139 = stablehlo.multiply %iterArg_35, %138 : tensor<8xf32>
      %140 = stablehlo.select %125, %139, %iterArg_35 : tensor<8xi1>, tensor<8xf32>
      %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %141 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %142 = stablehlo.multiply %iterArg_36, %141 : tensor<8xf32>
      %143 = stablehlo.select %125, %142, %iterArg_36 : tensor<8xi1>, tensor<8xf32>
      %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %144 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %145 = stablehlo.multiply %105, %144 : tensor<8xf32>
      %146 = stablehlo.select %125, %145, %105 : tensor<8xi1>, tensor<8xf32>
      %cst_53 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %147 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %148 = stablehlo.multiply %112, %147 : tensor<8xf32>
      %149 = stablehlo.select %125, %148, %112 : tensor<8xi1>, tensor<8xf32>
      %cst_54 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %150 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %151 = stablehlo.compare GT, %97, %150, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %152 = stablehlo.and %iterArg, %151 : tensor<8xi1>
      %153 = stablehlo.select %iterArg, %98, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %154 = stablehlo.select %iterArg, %97, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %155 = stablehlo.select %iterArg, %79, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %156 = stablehlo.select %iterArg, %81, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %157 = stablehlo.select %iterArg, %131, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %158 = stablehlo.select %iterArg, %137, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %159 = stablehlo.select %iterArg, %128, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      %160 = stablehlo.select %iterArg, %134, %iterArg_32 : tensor<8xi1>, tensor<8xf32>
      %161 = stablehlo.select %iterArg, %140, %iterArg_33 : tensor<8xi1>, tensor<8xf32>
      %162 = stablehlo.select %iterArg, %143, %iterArg_34 : tensor<8xi1>, tensor<8xf32>
      %163 = stablehlo.select %iterArg, %146, %iterArg_35 : tensor<8xi1>, tensor<8xf32>
      %164 = stablehlo.select %iterArg, %149, %iterArg_36 : tensor<8xi1>, tensor<8xf32>
      %165 = stablehlo.select %iterArg, %116, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %152, %153, %154, %155, %156, %77, %157, %158, %159, %160, %161, %162, %163, %164, %165 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %67 = stablehlo.multiply %66#1, %37 : tensor<8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %69 = stablehlo.subtract %68, %45 : tensor<8xf32>
    %70 = stablehlo.select %23, %69, %67 : tensor<8xi1>, tensor<8xf32>
    %71 = stablehlo.or %11, %7 : tensor<8xi1>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %73 = stablehlo.select %71, %72, %70 : tensor<8xi1>, tensor<8xf32>
    %cst_23 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %75 = stablehlo.select %19, %74, %73 : tensor<8xi1>, tensor<8xf32>
    %76 = call @_where(%1, %75, %arg0) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %76 : tensor<8xf32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
