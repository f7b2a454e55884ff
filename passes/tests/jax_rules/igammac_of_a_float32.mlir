// x: 0.0 1.000000013351432e-10 0.25 1.0 2.0 5.0 10.0 30.0
// vjp: 0.1356193721294403 0.1356193721294403 0.18040095269680023 0.2774333655834198 0.2745511531829834 0.034815236926078796 3.422816371312365e-05 4.0915873223001507e-25
// jvp: 0.1356193721294403 0.1356193721294403 0.18040095269680023 0.2774333655834198 0.2745511531829834 0.034815236926078796 3.422816371312365e-05 4.0915873223001507e-25
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %4 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %5 = stablehlo.or %3, %4 : tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.compare EQ, %1, %6, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.compare EQ, %2, %8, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.compare EQ, %2, %10, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.compare LT, %2, %12, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %15 = stablehlo.compare LT, %1, %14, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %16 = stablehlo.and %7, %9 : tensor<8xi1>
    %17 = stablehlo.or %13, %15 : tensor<8xi1>
    %18 = stablehlo.or %17, %16 : tensor<8xi1>
    %19 = stablehlo.or %18, %5 : tensor<8xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.compare LT, %2, %20, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %22 = stablehlo.compare LT, %2, %1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %23 = stablehlo.or %21, %22 : tensor<8xi1>
    %24 = stablehlo.log %2 : tensor<8xf32>
    %25 = stablehlo.multiply %1, %24 : tensor<8xf32>
    %26 = stablehlo.subtract %25, %2 : tensor<8xf32>
    %27 = chlo.lgamma %1 : tensor<8xf32> -> tensor<8xf32>
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
    %43:7 = stablehlo.while(%iterArg = %38, %iterArg_24 = %1, %iterArg_25 = %39, %iterArg_26 = %40, %iterArg_27 = %2, %iterArg_28 = %41, %iterArg_29 = %42) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %76 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %76 : tensor<i1>
    } do {
      %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %76 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %77 = stablehlo.add %iterArg_24, %76 : tensor<8xf32>
      %78 = stablehlo.divide %iterArg_27, %77 : tensor<8xf32>
      %79 = stablehlo.multiply %iterArg_28, %78 : tensor<8xf32>
      %80 = stablehlo.multiply %iterArg_25, %iterArg_27 : tensor<8xf32>
      %81 = stablehlo.multiply %77, %77 : tensor<8xf32>
      %82 = stablehlo.divide %80, %81 : tensor<8xf32>
      %83 = stablehlo.subtract %79, %82 : tensor<8xf32>
      %84 = stablehlo.add %iterArg_29, %83 : tensor<8xf32>
      %85 = stablehlo.divide %iterArg_27, %77 : tensor<8xf32>
      %86 = stablehlo.multiply %iterArg_25, %85 : tensor<8xf32>
      %87 = stablehlo.add %iterArg_26, %86 : tensor<8xf32>
      %88 = stablehlo.divide %86, %87 : tensor<8xf32>
      %cst_31 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %89 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %90 = stablehlo.compare GT, %88, %89, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %91 = stablehlo.and %iterArg, %90 : tensor<8xi1>
      %92 = stablehlo.select %iterArg, %77, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %93 = stablehlo.select %iterArg, %86, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %94 = stablehlo.select %iterArg, %87, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %95 = stablehlo.select %iterArg, %iterArg_27, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %96 = stablehlo.select %iterArg, %83, %iterArg_28 : tensor<8xi1>, tensor<8xf32>
      %97 = stablehlo.select %iterArg, %84, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %91, %92, %93, %94, %95, %96, %97 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %44 = stablehlo.multiply %43#3, %37 : tensor<8xf32>
    %45 = stablehlo.divide %44, %1 : tensor<8xf32>
    %46 = stablehlo.not %23 : tensor<8xi1>
    %47 = stablehlo.and %36, %46 : tensor<8xi1>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %49 = stablehlo.subtract %48, %1 : tensor<8xf32>
    %50 = stablehlo.add %2, %49 : tensor<8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.add %50, %51 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.add %2, %54 : tensor<8xf32>
    %56 = stablehlo.multiply %52, %2 : tensor<8xf32>
    %57 = stablehlo.divide %55, %56 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %62 = stablehlo.negate %2 : tensor<8xf32>
    %63 = stablehlo.multiply %57, %62 : tensor<8xf32>
    %64 = stablehlo.subtract %61, %63 : tensor<8xf32>
    %65 = stablehlo.divide %64, %56 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66:15 = stablehlo.while(%iterArg = %47, %iterArg_24 = %57, %iterArg_25 = %58, %iterArg_26 = %49, %iterArg_27 = %52, %iterArg_28 = %cst_20, %iterArg_29 = %55, %iterArg_30 = %56, %iterArg_31 = %53, %iterArg_32 = %2, %iterArg_33 = %59, %iterArg_34 = %60, %iterArg_35 = %61, %iterArg_36 = %62, %iterArg_37 = %65) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %cst_38 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %76 = stablehlo.compare LT, %iterArg_28, %cst_38, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %77 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      %78 = stablehlo.and %76, %77 : tensor<i1>
      stablehlo.return %78 : tensor<i1>
    } do {
      %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %76 = stablehlo.add %iterArg_28, %cst_38 : tensor<f32>
      %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %77 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %78 = stablehlo.add %iterArg_26, %77 : tensor<8xf32>
      %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %79 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %80 = stablehlo.add %iterArg_27, %79 : tensor<8xf32>
      %81 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %82 = stablehlo.multiply %78, %81 : tensor<8xf32>
      %83 = stablehlo.multiply %iterArg_29, %80 : tensor<8xf32>
      %84 = stablehlo.multiply %iterArg_31, %82 : tensor<8xf32>
      %85 = stablehlo.subtract %83, %84 : tensor<8xf32>
      %86 = stablehlo.multiply %iterArg_30, %80 : tensor<8xf32>
      %87 = stablehlo.multiply %iterArg_32, %82 : tensor<8xf32>
      %88 = stablehlo.subtract %86, %87 : tensor<8xf32>
      %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %89 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %90 = stablehlo.compare NE, %88, %89, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %91 = stablehlo.divide %85, %88 : tensor<8xf32>
      %92 = stablehlo.subtract %iterArg_24, %91 : tensor<8xf32>
      %93 = stablehlo.divide %92, %91 : tensor<8xf32>
      %94 = stablehlo.abs %93 : tensor<8xf32>
      %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %95 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %96 = stablehlo.select %90, %94, %95 : tensor<8xi1>, tensor<8xf32>
      %97 = stablehlo.select %90, %91, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %98 = stablehlo.multiply %iterArg_35, %80 : tensor<8xf32>
      %99 = stablehlo.subtract %98, %iterArg_29 : tensor<8xf32>
      %100 = stablehlo.multiply %iterArg_33, %82 : tensor<8xf32>
      %101 = stablehlo.subtract %99, %100 : tensor<8xf32>
      %102 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %103 = stablehlo.multiply %iterArg_31, %102 : tensor<8xf32>
      %104 = stablehlo.add %101, %103 : tensor<8xf32>
      %105 = stablehlo.multiply %iterArg_36, %80 : tensor<8xf32>
      %106 = stablehlo.subtract %105, %iterArg_30 : tensor<8xf32>
      %107 = stablehlo.multiply %iterArg_34, %82 : tensor<8xf32>
      %108 = stablehlo.subtract %106, %107 : tensor<8xf32>
      %109 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %110 = stablehlo.multiply %iterArg_32, %109 : tensor<8xf32>
      %111 = stablehlo.add %108, %110 : tensor<8xf32>
      %112 = stablehlo.multiply %97, %111 : tensor<8xf32>
      %113 = stablehlo.subtract %104, %112 : tensor<8xf32>
      %114 = stablehlo.divide %113, %88 : tensor<8xf32>
      %115 = stablehlo.select %90, %114, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      %116 = stablehlo.subtract %115, %iterArg_37 : tensor<8xf32>
      %117 = stablehlo.abs %116 : tensor<8xf32>
      %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %118 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %119 = stablehlo.select %90, %117, %118 : tensor<8xi1>, tensor<8xf32>
      %120 = stablehlo.abs %85 : tensor<8xf32>
      %cst_44 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %121 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<f32>
      %122 = stablehlo.divide %121, %cst_44 : tensor<f32>
      %123 = stablehlo.broadcast_in_dim %122, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %124 = stablehlo.compare GT, %120, %123, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_46 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %125 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %126 = stablehlo.multiply %iterArg_29, %125 : tensor<8xf32>
      %127 = stablehlo.select %124, %126, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %cst_47 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %128 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %129 = stablehlo.multiply %85, %128 : tensor<8xf32>
      %130 = stablehlo.select %124, %129, %85 : tensor<8xi1>, tensor<8xf32>
      %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %131 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %132 = stablehlo.multiply %iterArg_30, %131 : tensor<8xf32>
      %133 = stablehlo.select %124, %132, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %cst_49 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %134 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %135 = stablehlo.multiply %88, %134 : tensor<8xf32>
      %136 = stablehlo.select %124, %135, %88 : tensor<8xi1>, tensor<8xf32>
      %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %137 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %138 = stablehlo.multiply %iterArg_35, %137 : tensor<8xf32>
      %139 = stablehlo.select %124, %138, %iterArg_35 : tensor<8xi1>, tensor<8xf32>
      %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %140 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %141 = stablehlo.multiply %iterArg_36, %140 : tensor<8xf32>
      %142 = stablehlo.select %124, %141, %iterArg_36 : tensor<8xi1>, tensor<8xf32>
      %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %143 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %144 = stablehlo.multiply %104, %143 : tensor<8xf32>
      %145 = stablehlo.select %124, %144, %104 : tensor<8xi1>, tensor<8xf32>
      %cst_53 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %146 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %147 = stablehlo.multiply %111, %146 : tensor<8xf32>
      %148 = stablehlo.select %124, %147, %111 : tensor<8xi1>, tensor<8xf32>
      %cst_54 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %149 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %150 = stablehlo.compare GT, %96, %149, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %151 = stablehlo.and %iterArg, %150 : tensor<8xi1>
      %152 = stablehlo.select %iterArg, %97, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %153 = stablehlo.select %iterArg, %96, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %154 = stablehlo.select %iterArg, %78, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %155 = stablehlo.select %iterArg, %80, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %156 = stablehlo.select %iterArg, %130, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %157 = stablehlo.select %iterArg, %136, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %158 = stablehlo.select %iterArg, %127, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      %159 = stablehlo.select %iterArg, %133, %iterArg_32 : tensor<8xi1>, tensor<8xf32>
      %160 = stablehlo.select %iterArg, %139, %iterArg_33 : tensor<8xi1>, tensor<8xf32>
      %161 = stablehlo.select %iterArg, %142, %iterArg_34 : tensor<8xi1>, tensor<8xf32>
      %162 = stablehlo.select %iterArg, %145, %iterArg_35 : tensor<8xi1>, tensor<8xf32>
      %163 = stablehlo.select %iterArg, %148, %iterArg_36 : tensor<8xi1>, tensor<8xf32>
      %164 = stablehlo.select %iterArg, %115, %iterArg_37 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %151, %152, %153, %154, %155, %76, %156, %157, %158, %159, %160, %161, %162, %163, %164 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
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
    return %75 : tensor<8xf32>
  }
}
