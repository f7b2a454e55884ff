// x: 0.0 1.000000013351432e-10 0.25 1.0 2.0 5.0 10.0 30.0
// vjp: 1.0 1.0 1.0 0.5413408875465393 0.1347588747739792 1.328363419261791e-09 0.0 0.0
// jvp: 1.0 1.0 1.0 0.5413408875465393 0.1347588747739792 1.328363419261791e-09 0.0 0.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.add %2, %3 : tensor<8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %6 = stablehlo.compare NE, %5, %5, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %7 = stablehlo.compare NE, %4, %4, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %8 = stablehlo.or %6, %7 : tensor<8xi1>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %10 = stablehlo.compare EQ, %4, %9, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.compare EQ, %5, %11, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %14 = stablehlo.compare EQ, %4, %13, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %16 = stablehlo.compare LT, %4, %15, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.compare LT, %5, %17, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %19 = stablehlo.and %12, %14 : tensor<8xi1>
    %20 = stablehlo.or %16, %18 : tensor<8xi1>
    %21 = stablehlo.or %20, %19 : tensor<8xi1>
    %22 = stablehlo.or %21, %8 : tensor<8xi1>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %24 = stablehlo.compare GE, %4, %23, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %25 = stablehlo.compare GT, %4, %5, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %26 = stablehlo.and %24, %25 : tensor<8xi1>
    %27 = stablehlo.log %4 : tensor<8xf32>
    %28 = stablehlo.multiply %5, %27 : tensor<8xf32>
    %29 = stablehlo.subtract %28, %4 : tensor<8xf32>
    %30 = chlo.lgamma %5 : tensor<8xf32> -> tensor<8xf32>
    %31 = stablehlo.subtract %29, %30 : tensor<8xf32>
    %cst_8 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %32 = stablehlo.log %cst_8 : tensor<f32>
    %33 = stablehlo.negate %32 : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %35 = stablehlo.compare LT, %31, %34, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %36 = stablehlo.exponential %31 : tensor<8xf32>
    %37 = stablehlo.or %14, %22 : tensor<8xi1>
    %38 = stablehlo.or %37, %35 : tensor<8xi1>
    %39 = stablehlo.or %38, %10 : tensor<8xi1>
    %40 = stablehlo.not %39 : tensor<8xi1>
    %41 = stablehlo.and %40, %26 : tensor<8xi1>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43 = stablehlo.subtract %42, %5 : tensor<8xf32>
    %44 = stablehlo.add %4, %43 : tensor<8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %46 = stablehlo.add %44, %45 : tensor<8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %49 = stablehlo.add %4, %48 : tensor<8xf32>
    %50 = stablehlo.multiply %46, %4 : tensor<8xf32>
    %51 = stablehlo.divide %49, %50 : tensor<8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %56 = stablehlo.negate %4 : tensor<8xf32>
    %57 = stablehlo.multiply %51, %56 : tensor<8xf32>
    %58 = stablehlo.subtract %55, %57 : tensor<8xf32>
    %59 = stablehlo.divide %58, %50 : tensor<8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60:15 = stablehlo.while(%iterArg = %41, %iterArg_26 = %51, %iterArg_27 = %52, %iterArg_28 = %43, %iterArg_29 = %46, %iterArg_30 = %cst_17, %iterArg_31 = %49, %iterArg_32 = %50, %iterArg_33 = %47, %iterArg_34 = %4, %iterArg_35 = %53, %iterArg_36 = %54, %iterArg_37 = %55, %iterArg_38 = %56, %iterArg_39 = %59) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %cst_40 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %81 = stablehlo.compare LT, %iterArg_30, %cst_40, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %82 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      %83 = stablehlo.and %81, %82 : tensor<i1>
      stablehlo.return %83 : tensor<i1>
    } do {
      %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %81 = stablehlo.add %iterArg_30, %cst_40 : tensor<f32>
      %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %82 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %83 = stablehlo.add %iterArg_28, %82 : tensor<8xf32>
      %cst_42 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %84 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %85 = stablehlo.add %iterArg_29, %84 : tensor<8xf32>
      %86 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %87 = stablehlo.multiply %83, %86 : tensor<8xf32>
      %88 = stablehlo.multiply %iterArg_31, %85 : tensor<8xf32>
      %89 = stablehlo.multiply %iterArg_33, %87 : tensor<8xf32>
      %90 = stablehlo.subtract %88, %89 : tensor<8xf32>
      %91 = stablehlo.multiply %iterArg_32, %85 : tensor<8xf32>
      %92 = stablehlo.multiply %iterArg_34, %87 : tensor<8xf32>
      %93 = stablehlo.subtract %91, %92 : tensor<8xf32>
      %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %94 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %95 = stablehlo.compare NE, %93, %94, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %96 = stablehlo.divide %90, %93 : tensor<8xf32>
      %97 = stablehlo.subtract %iterArg_26, %96 : tensor<8xf32>
      %98 = stablehlo.divide %97, %96 : tensor<8xf32>
      %99 = stablehlo.abs %98 : tensor<8xf32>
      %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %100 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %101 = stablehlo.select %95, %99, %100 : tensor<8xi1>, tensor<8xf32>
      %102 = stablehlo.select %95, %96, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %103 = stablehlo.multiply %iterArg_37, %85 : tensor<8xf32>
      %104 = stablehlo.subtract %103, %iterArg_31 : tensor<8xf32>
      %105 = stablehlo.multiply %iterArg_35, %87 : tensor<8xf32>
      %106 = stablehlo.subtract %104, %105 : tensor<8xf32>
      %107 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %108 = stablehlo.multiply %iterArg_33, %107 : tensor<8xf32>
      %109 = stablehlo.add %106, %108 : tensor<8xf32>
      %110 = stablehlo.multiply %iterArg_38, %85 : tensor<8xf32>
      %111 = stablehlo.subtract %110, %iterArg_32 : tensor<8xf32>
      %112 = stablehlo.multiply %iterArg_36, %87 : tensor<8xf32>
      %113 = stablehlo.subtract %111, %112 : tensor<8xf32>
      %114 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %115 = stablehlo.multiply %iterArg_34, %114 : tensor<8xf32>
      %116 = stablehlo.add %113, %115 : tensor<8xf32>
      %117 = stablehlo.multiply %102, %116 : tensor<8xf32>
      %118 = stablehlo.subtract %109, %117 : tensor<8xf32>
      %119 = stablehlo.divide %118, %93 : tensor<8xf32>
      %120 = stablehlo.select %95, %119, %iterArg_39 : tensor<8xi1>, tensor<8xf32>
      %121 = stablehlo.subtract %120, %iterArg_39 : tensor<8xf32>
      %122 = stablehlo.abs %121 : tensor<8xf32>
      %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %123 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %124 = stablehlo.select %95, %122, %123 : tensor<8xi1>, tensor<8xf32>
      %125 = stablehlo.abs %90 : tensor<8xf32>
      %cst_46 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %126 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<f32>
      %127 = stablehlo.divide %126, %cst_46 : tensor<f32>
      %128 = stablehlo.broadcast_in_dim %127, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %129 = stablehlo.compare GT, %125, %128, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %130 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %131 = stablehlo.multiply %iterArg_31, %130 : tensor<8xf32>
      %132 = stablehlo.select %129, %131, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      %cst_49 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %133 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %134 = stablehlo.multiply %90, %133 : tensor<8xf32>
      %135 = stablehlo.select %129, %134, %90 : tensor<8xi1>, tensor<8xf32>
      %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %136 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %137 = stablehlo.multiply %iterArg_32, %136 : tensor<8xf32>
      %138 = stablehlo.select %129, %137, %iterArg_32 : tensor<8xi1>, tensor<8xf32>
      %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %139 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %140 = stablehlo.multiply %93, %139 : tensor<8xf32>
      %141 = stablehlo.select %129, %140, %93 : tensor<8xi1>, tensor<8xf32>
      %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %142 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %143 = stablehlo.multiply %iterArg_37, %142 : tensor<8xf32>
      %144 = stablehlo.select %129, %143, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      %cst_53 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %145 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %146 = stablehlo.multiply %iterArg_38, %145 : tensor<8xf32>
      %147 = stablehlo.select %129, %146, %iterArg_38 : tensor<8xi1>, tensor<8xf32>
      %cst_54 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %148 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %149 = stablehlo.multiply %109, %148 : tensor<8xf32>
      %150 = stablehlo.select %129, %149, %109 : tensor<8xi1>, tensor<8xf32>
      %cst_55 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %151 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %152 = stablehlo.multiply %116, %151 : tensor<8xf32>
      %153 = stablehlo.select %129, %152, %116 : tensor<8xi1>, tensor<8xf32>
      %cst_56 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %154 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %155 = stablehlo.compare GT, %101, %154, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %156 = stablehlo.and %iterArg, %155 : tensor<8xi1>
      %157 = stablehlo.select %iterArg, %102, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %158 = stablehlo.select %iterArg, %101, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %159 = stablehlo.select %iterArg, %83, %iterArg_28 : tensor<8xi1>, tensor<8xf32>
      %160 = stablehlo.select %iterArg, %85, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %161 = stablehlo.select %iterArg, %135, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      %162 = stablehlo.select %iterArg, %141, %iterArg_32 : tensor<8xi1>, tensor<8xf32>
      %163 = stablehlo.select %iterArg, %132, %iterArg_33 : tensor<8xi1>, tensor<8xf32>
      %164 = stablehlo.select %iterArg, %138, %iterArg_34 : tensor<8xi1>, tensor<8xf32>
      %165 = stablehlo.select %iterArg, %144, %iterArg_35 : tensor<8xi1>, tensor<8xf32>
      %166 = stablehlo.select %iterArg, %147, %iterArg_36 : tensor<8xi1>, tensor<8xf32>
      %167 = stablehlo.select %iterArg, %150, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      %168 = stablehlo.select %iterArg, %153, %iterArg_38 : tensor<8xi1>, tensor<8xf32>
      %169 = stablehlo.select %iterArg, %120, %iterArg_39 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %156, %157, %158, %159, %160, %81, %161, %162, %163, %164, %165, %166, %167, %168, %169 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %61 = stablehlo.multiply %60#1, %36 : tensor<8xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %63 = stablehlo.subtract %62, %61 : tensor<8xf32>
    %64 = stablehlo.not %26 : tensor<8xi1>
    %65 = stablehlo.and %40, %64 : tensor<8xi1>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %70:7 = stablehlo.while(%iterArg = %65, %iterArg_26 = %5, %iterArg_27 = %66, %iterArg_28 = %67, %iterArg_29 = %4, %iterArg_30 = %68, %iterArg_31 = %69) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %81 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %81 : tensor<i1>
    } do {
      %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %81 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %82 = stablehlo.add %iterArg_26, %81 : tensor<8xf32>
      %83 = stablehlo.divide %iterArg_29, %82 : tensor<8xf32>
      %84 = stablehlo.multiply %iterArg_30, %83 : tensor<8xf32>
      %85 = stablehlo.multiply %iterArg_27, %iterArg_29 : tensor<8xf32>
      %86 = stablehlo.multiply %82, %82 : tensor<8xf32>
      %87 = stablehlo.divide %85, %86 : tensor<8xf32>
      %88 = stablehlo.subtract %84, %87 : tensor<8xf32>
      %89 = stablehlo.add %iterArg_31, %88 : tensor<8xf32>
      %90 = stablehlo.divide %iterArg_29, %82 : tensor<8xf32>
      %91 = stablehlo.multiply %iterArg_27, %90 : tensor<8xf32>
      %92 = stablehlo.add %iterArg_28, %91 : tensor<8xf32>
      %93 = stablehlo.divide %91, %92 : tensor<8xf32>
      %cst_33 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %94 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %95 = stablehlo.compare GT, %93, %94, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %96 = stablehlo.and %iterArg, %95 : tensor<8xi1>
      %97 = stablehlo.select %iterArg, %82, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %98 = stablehlo.select %iterArg, %91, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %99 = stablehlo.select %iterArg, %92, %iterArg_28 : tensor<8xi1>, tensor<8xf32>
      %100 = stablehlo.select %iterArg, %iterArg_29, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %101 = stablehlo.select %iterArg, %88, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %102 = stablehlo.select %iterArg, %89, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %96, %97, %98, %99, %100, %101, %102 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %71 = stablehlo.multiply %70#3, %36 : tensor<8xf32>
    %72 = stablehlo.divide %71, %5 : tensor<8xf32>
    %73 = stablehlo.select %26, %63, %72 : tensor<8xi1>, tensor<8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %75 = stablehlo.select %14, %74, %73 : tensor<8xi1>, tensor<8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %77 = stablehlo.select %10, %76, %75 : tensor<8xi1>, tensor<8xf32>
    %cst_25 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %79 = stablehlo.select %22, %78, %77 : tensor<8xi1>, tensor<8xf32>
    %80 = call @_where(%1, %79, %arg0) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %80 : tensor<8xf32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
