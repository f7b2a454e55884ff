// x: 1.000000013351432e-10 0.25 0.5 0.75
// vjp: 3.0 1.6875001192092896 0.75 0.1875
// jvp: 3.0 1.6875001192092896 0.75 0.1875
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.subtract %arg0, %0 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.clamp %4, %3, %5 : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.compare EQ, %7, %9, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_6 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.compare EQ, %8, %11, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %13 = stablehlo.or %10, %12 : tensor<4xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.compare EQ, %8, %14, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_8 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %17 = stablehlo.compare EQ, %7, %16, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %18 = stablehlo.or %15, %17 : tensor<4xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %20 = stablehlo.compare EQ, %6, %19, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %22 = stablehlo.compare EQ, %6, %21, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %23 = stablehlo.not %20 : tensor<4xi1>
    %24 = stablehlo.not %22 : tensor<4xi1>
    %25 = stablehlo.compare NE, %7, %7, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %26 = stablehlo.compare NE, %8, %8, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %27 = stablehlo.or %25, %26 : tensor<4xi1>
    %28 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %29 = stablehlo.or %27, %28 : tensor<4xi1>
    %30 = stablehlo.and %18, %24 : tensor<4xi1>
    %31 = stablehlo.and %13, %20 : tensor<4xi1>
    %32 = stablehlo.or %30, %31 : tensor<4xi1>
    %33 = stablehlo.and %13, %23 : tensor<4xi1>
    %34 = stablehlo.and %18, %22 : tensor<4xi1>
    %35 = stablehlo.or %33, %34 : tensor<4xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %37 = stablehlo.compare LT, %7, %36, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %39 = stablehlo.compare LT, %8, %38, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %40 = stablehlo.or %37, %39 : tensor<4xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %42 = stablehlo.compare LT, %6, %41, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %43 = stablehlo.or %40, %42 : tensor<4xi1>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %45 = stablehlo.compare GT, %6, %44, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %46 = stablehlo.or %43, %45 : tensor<4xi1>
    %47 = stablehlo.and %13, %18 : tensor<4xi1>
    %48 = stablehlo.or %47, %29 : tensor<4xi1>
    %49 = stablehlo.or %46, %48 : tensor<4xi1>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %51 = stablehlo.add %7, %50 : tensor<4xf32>
    %52 = stablehlo.add %7, %8 : tensor<4xf32>
    %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %54 = stablehlo.add %52, %53 : tensor<4xf32>
    %55 = stablehlo.divide %51, %54 : tensor<4xf32>
    %56 = stablehlo.compare LT, %6, %55, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %57 = stablehlo.select %56, %7, %8 : tensor<4xi1>, tensor<4xf32>
    %58 = stablehlo.select %56, %8, %7 : tensor<4xi1>, tensor<4xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %60 = stablehlo.subtract %59, %6 : tensor<4xf32>
    %61 = stablehlo.select %56, %6, %60 : tensor<4xi1>, tensor<4xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %62 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %c_18 = stablehlo.constant dense<0> : tensor<i64>
    %63 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %64 = stablehlo.compare EQ, %62, %63, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %67 = stablehlo.select %64, %65, %66 : tensor<4xi1>, tensor<4xf32>
    %68 = stablehlo.abs %67 : tensor<4xf32>
    %cst_21 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %70 = stablehlo.compare LT, %68, %69, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_22 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %72 = stablehlo.select %70, %71, %67 : tensor<4xi1>, tensor<4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %c_24 = stablehlo.constant dense<1> : tensor<i64>
    %c_25 = stablehlo.constant dense<true> : tensor<i1>
    %74:8 = stablehlo.while(%iterArg = %57, %iterArg_31 = %58, %iterArg_32 = %61, %iterArg_33 = %c_24, %iterArg_34 = %c_25, %iterArg_35 = %72, %iterArg_36 = %73, %iterArg_37 = %72) : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    cond {
      %c_38 = stablehlo.constant dense<200> : tensor<i64>
      %108 = stablehlo.compare LT, %iterArg_33, %c_38, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %109 = stablehlo.and %108, %iterArg_34 : tensor<i1>
      stablehlo.return %109 : tensor<i1>
    } do {
      %108 = stablehlo.broadcast_in_dim %iterArg_33, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %c_38 = stablehlo.constant dense<2> : tensor<i64>
      %109 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %110 = func.call @remainder(%108, %109) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
      %c_39 = stablehlo.constant dense<0> : tensor<i64>
      %111 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %112 = stablehlo.compare EQ, %110, %111, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
      %c_40 = stablehlo.constant dense<1> : tensor<i64>
      %113 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %114 = stablehlo.compare EQ, %108, %113, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
      %c_41 = stablehlo.constant dense<1> : tensor<i64>
      %115 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %116 = stablehlo.subtract %108, %115 : tensor<4xi64>
      %c_42 = stablehlo.constant dense<2> : tensor<i64>
      %117 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %118 = func.call @floor_divide(%116, %117) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
      %c_43 = stablehlo.constant dense<0> : tensor<i64>
      %119 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %120 = stablehlo.compare EQ, %118, %119, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
      %121 = stablehlo.convert %118 : (tensor<4xi64>) -> tensor<4xf32>
      %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %122 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %cst_45 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %123 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %124 = stablehlo.add %iterArg, %iterArg_31 : tensor<4xf32>
      %125 = stablehlo.negate %124 : tensor<4xf32>
      %126 = stablehlo.multiply %125, %iterArg_32 : tensor<4xf32>
      %127 = stablehlo.add %iterArg, %122 : tensor<4xf32>
      %128 = stablehlo.divide %126, %127 : tensor<4xf32>
      %129 = stablehlo.add %iterArg, %121 : tensor<4xf32>
      %130 = stablehlo.negate %129 : tensor<4xf32>
      %131 = stablehlo.add %iterArg, %iterArg_31 : tensor<4xf32>
      %132 = stablehlo.add %131, %121 : tensor<4xf32>
      %133 = stablehlo.multiply %130, %132 : tensor<4xf32>
      %134 = stablehlo.multiply %133, %iterArg_32 : tensor<4xf32>
      %135 = stablehlo.multiply %123, %121 : tensor<4xf32>
      %136 = stablehlo.add %iterArg, %135 : tensor<4xf32>
      %137 = stablehlo.multiply %123, %121 : tensor<4xf32>
      %138 = stablehlo.add %iterArg, %137 : tensor<4xf32>
      %139 = stablehlo.add %138, %122 : tensor<4xf32>
      %140 = stablehlo.multiply %136, %139 : tensor<4xf32>
      %141 = stablehlo.divide %134, %140 : tensor<4xf32>
      %142 = stablehlo.select %120, %128, %141 : tensor<4xi1>, tensor<4xf32>
      %143 = stablehlo.subtract %iterArg_31, %121 : tensor<4xf32>
      %144 = stablehlo.multiply %121, %143 : tensor<4xf32>
      %145 = stablehlo.multiply %144, %iterArg_32 : tensor<4xf32>
      %146 = stablehlo.multiply %123, %121 : tensor<4xf32>
      %147 = stablehlo.add %iterArg, %146 : tensor<4xf32>
      %148 = stablehlo.subtract %147, %122 : tensor<4xf32>
      %149 = stablehlo.multiply %123, %121 : tensor<4xf32>
      %150 = stablehlo.add %iterArg, %149 : tensor<4xf32>
      %151 = stablehlo.multiply %148, %150 : tensor<4xf32>
      %152 = stablehlo.divide %145, %151 : tensor<4xf32>
      %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %153 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %154 = stablehlo.select %112, %142, %152 : tensor<4xi1>, tensor<4xf32>
      %155 = stablehlo.select %114, %153, %154 : tensor<4xi1>, tensor<4xf32>
      %156 = stablehlo.broadcast_in_dim %iterArg_33, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %c_47 = stablehlo.constant dense<0> : tensor<i64>
      %157 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i64>) -> tensor<4xi64>
      %158 = stablehlo.compare EQ, %156, %157, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
      %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %159 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %160 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %161 = stablehlo.select %158, %159, %160 : tensor<4xi1>, tensor<4xf32>
      %162 = stablehlo.divide %155, %iterArg_35 : tensor<4xf32>
      %163 = stablehlo.add %161, %162 : tensor<4xf32>
      %cst_50 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
      %164 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %165 = stablehlo.abs %163 : tensor<4xf32>
      %166 = stablehlo.compare LT, %165, %164, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %167 = stablehlo.select %166, %164, %163 : tensor<4xi1>, tensor<4xf32>
      %168 = stablehlo.multiply %155, %iterArg_36 : tensor<4xf32>
      %169 = stablehlo.add %161, %168 : tensor<4xf32>
      %170 = stablehlo.abs %169 : tensor<4xf32>
      %171 = stablehlo.compare LT, %170, %164, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %172 = stablehlo.select %171, %164, %169 : tensor<4xi1>, tensor<4xf32>
      %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %173 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %174 = stablehlo.divide %173, %172 : tensor<4xf32>
      %175 = stablehlo.multiply %167, %174 : tensor<4xf32>
      %176 = stablehlo.multiply %iterArg_37, %175 : tensor<4xf32>
      %c_52 = stablehlo.constant dense<1> : tensor<i64>
      %177 = stablehlo.add %iterArg_33, %c_52 : tensor<i64>
      %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %178 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %179 = stablehlo.subtract %175, %178 : tensor<4xf32>
      %180 = stablehlo.abs %179 : tensor<4xf32>
      %cst_54 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
      %181 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %182 = stablehlo.compare GE, %180, %181, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %c_55 = stablehlo.constant dense<false> : tensor<i1>
      %183 = stablehlo.reduce(%182 init: %c_55) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %iterArg, %iterArg_31, %iterArg_32, %177, %183, %167, %174, %176 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }
    %75 = chlo.lgamma %58 : tensor<4xf32> -> tensor<4xf32>
    %76 = stablehlo.add %57, %58 : tensor<4xf32>
    %77 = chlo.lgamma %76 : tensor<4xf32> -> tensor<4xf32>
    %78 = stablehlo.subtract %75, %77 : tensor<4xf32>
    %79 = chlo.lgamma %57 : tensor<4xf32> -> tensor<4xf32>
    %80 = stablehlo.add %79, %78 : tensor<4xf32>
    %cst_26 = stablehlo.constant dense<2.3509887E-38> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %82 = stablehlo.compare LT, %57, %81, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %83 = stablehlo.negate %61 : tensor<4xf32>
    %84 = stablehlo.log_plus_one %83 : tensor<4xf32>
    %85 = stablehlo.multiply %84, %58 : tensor<4xf32>
    %86 = stablehlo.subtract %85, %78 : tensor<4xf32>
    %87 = stablehlo.exponential %86 : tensor<4xf32>
    %88 = stablehlo.log %61 : tensor<4xf32>
    %89 = stablehlo.multiply %88, %57 : tensor<4xf32>
    %90 = stablehlo.negate %61 : tensor<4xf32>
    %91 = stablehlo.log_plus_one %90 : tensor<4xf32>
    %92 = stablehlo.multiply %91, %58 : tensor<4xf32>
    %93 = stablehlo.add %89, %92 : tensor<4xf32>
    %94 = stablehlo.subtract %93, %80 : tensor<4xf32>
    %95 = stablehlo.exponential %94 : tensor<4xf32>
    %96 = stablehlo.divide %95, %57 : tensor<4xf32>
    %97 = stablehlo.select %82, %87, %96 : tensor<4xi1>, tensor<4xf32>
    %98 = stablehlo.multiply %74#7, %97 : tensor<4xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %100 = stablehlo.subtract %99, %98 : tensor<4xf32>
    %101 = stablehlo.select %56, %98, %100 : tensor<4xi1>, tensor<4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %103 = stablehlo.select %32, %102, %101 : tensor<4xi1>, tensor<4xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %105 = stablehlo.select %35, %104, %103 : tensor<4xi1>, tensor<4xf32>
    %cst_30 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %107 = stablehlo.select %49, %106, %105 : tensor<4xi1>, tensor<4xf32>
    return %107 : tensor<4xf32>
  }
  func.func private @remainder(%arg0: tensor<4xi64>, %arg1: tensor<4xi64>) -> tensor<4xi64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %3 = call @_where(%1, %2, %arg1) : (tensor<4xi1>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %4 = stablehlo.remainder %arg0, %3 : tensor<4xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %12 = stablehlo.and %11, %6 : tensor<4xi1>
    %13 = stablehlo.add %4, %3 : tensor<4xi64>
    %14 = stablehlo.select %12, %13, %4 : tensor<4xi1>, tensor<4xi64>
    return %14 : tensor<4xi64>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xi64>, %arg2: tensor<4xi64>) -> tensor<4xi64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi64>
    return %0 : tensor<4xi64>
  }
  func.func private @floor_divide(%arg0: tensor<4xi64>, %arg1: tensor<4xi64>) -> tensor<4xi64> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<4xi64>
    %1 = stablehlo.sign %arg0 : tensor<4xi64>
    %2 = stablehlo.sign %arg1 : tensor<4xi64>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<4xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %9 = stablehlo.convert %8 : tensor<4xi1>
    %c_1 = stablehlo.constant dense<false> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %12 = stablehlo.convert %11 : tensor<4xi1>
    %13 = stablehlo.and %9, %12 : tensor<4xi1>
    %c_2 = stablehlo.constant dense<1> : tensor<i64>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %15 = stablehlo.subtract %0, %14 : tensor<4xi64>
    %16 = call @_where_0(%13, %15, %0) : (tensor<4xi1>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    return %16 : tensor<4xi64>
  }
  func.func private @_where_0(%arg0: tensor<4xi1>, %arg1: tensor<4xi64>, %arg2: tensor<4xi64>) -> tensor<4xi64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
