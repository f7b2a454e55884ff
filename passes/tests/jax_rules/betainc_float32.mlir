// x: 0.0 1.000000013351432e-10 0.25 0.5 0.75 1.0
// vjp: 0.0 1.2000013205337723e-09 1.6874996423721313 1.4999996423721313 0.5624998807907104 0.0
// jvp: 0.0 1.2000013205337723e-09 1.6874996423721313 1.4999996423721313 0.5624998807907104 0.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<6xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %3 = stablehlo.compare EQ, %0, %2, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %5 = stablehlo.compare EQ, %1, %4, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %6 = stablehlo.or %3, %5 : tensor<6xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %8 = stablehlo.compare EQ, %1, %7, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %10 = stablehlo.compare EQ, %0, %9, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %11 = stablehlo.or %8, %10 : tensor<6xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %13 = stablehlo.compare EQ, %arg0, %12, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %15 = stablehlo.compare EQ, %arg0, %14, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %16 = stablehlo.not %13 : tensor<6xi1>
    %17 = stablehlo.not %15 : tensor<6xi1>
    %18 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %19 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %20 = stablehlo.or %18, %19 : tensor<6xi1>
    %21 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %22 = stablehlo.or %20, %21 : tensor<6xi1>
    %23 = stablehlo.and %11, %17 : tensor<6xi1>
    %24 = stablehlo.and %6, %13 : tensor<6xi1>
    %25 = stablehlo.or %23, %24 : tensor<6xi1>
    %26 = stablehlo.and %6, %16 : tensor<6xi1>
    %27 = stablehlo.and %11, %15 : tensor<6xi1>
    %28 = stablehlo.or %26, %27 : tensor<6xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %30 = stablehlo.compare LT, %0, %29, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %32 = stablehlo.compare LT, %1, %31, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %33 = stablehlo.or %30, %32 : tensor<6xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %35 = stablehlo.compare LT, %arg0, %34, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %36 = stablehlo.or %33, %35 : tensor<6xi1>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %38 = stablehlo.compare GT, %arg0, %37, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %39 = stablehlo.or %36, %38 : tensor<6xi1>
    %40 = stablehlo.and %6, %11 : tensor<6xi1>
    %41 = stablehlo.or %40, %22 : tensor<6xi1>
    %42 = stablehlo.or %39, %41 : tensor<6xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %44 = stablehlo.add %0, %43 : tensor<6xf32>
    %45 = stablehlo.add %0, %1 : tensor<6xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %47 = stablehlo.add %45, %46 : tensor<6xf32>
    %48 = stablehlo.divide %44, %47 : tensor<6xf32>
    %49 = stablehlo.compare LT, %arg0, %48, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %50 = stablehlo.select %49, %0, %1 : tensor<6xi1>, tensor<6xf32>
    %51 = stablehlo.select %49, %1, %0 : tensor<6xi1>, tensor<6xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %53 = stablehlo.subtract %52, %arg0 : tensor<6xf32>
    %54 = stablehlo.select %49, %arg0, %53 : tensor<6xi1>, tensor<6xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %55 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %c_14 = stablehlo.constant dense<0> : tensor<i64>
    %56 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %57 = stablehlo.compare EQ, %55, %56, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %60 = stablehlo.select %57, %58, %59 : tensor<6xi1>, tensor<6xf32>
    %61 = stablehlo.abs %60 : tensor<6xf32>
    %cst_17 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %63 = stablehlo.compare LT, %61, %62, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_18 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %65 = stablehlo.select %63, %64, %60 : tensor<6xi1>, tensor<6xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %c_20 = stablehlo.constant dense<1> : tensor<i64>
    %c_21 = stablehlo.constant dense<true> : tensor<i1>
    %67:8 = stablehlo.while(%iterArg = %50, %iterArg_27 = %51, %iterArg_28 = %54, %iterArg_29 = %c_20, %iterArg_30 = %c_21, %iterArg_31 = %65, %iterArg_32 = %66, %iterArg_33 = %65) : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<i64>, tensor<i1>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
    cond {
      %c_34 = stablehlo.constant dense<200> : tensor<i64>
      %101 = stablehlo.compare LT, %iterArg_29, %c_34, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %102 = stablehlo.and %101, %iterArg_30 : tensor<i1>
      stablehlo.return %102 : tensor<i1>
    } do {
      %101 = stablehlo.broadcast_in_dim %iterArg_29, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %c_34 = stablehlo.constant dense<2> : tensor<i64>
      %102 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %103 = func.call @remainder(%101, %102) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
      %c_35 = stablehlo.constant dense<0> : tensor<i64>
      %104 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %105 = stablehlo.compare EQ, %103, %104, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
      %c_36 = stablehlo.constant dense<1> : tensor<i64>
      %106 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %107 = stablehlo.compare EQ, %101, %106, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
      %c_37 = stablehlo.constant dense<1> : tensor<i64>
      %108 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %109 = stablehlo.subtract %101, %108 : tensor<6xi64>
      %c_38 = stablehlo.constant dense<2> : tensor<i64>
      %110 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %111 = func.call @floor_divide(%109, %110) : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
      %c_39 = stablehlo.constant dense<0> : tensor<i64>
      %112 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %113 = stablehlo.compare EQ, %111, %112, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
      %114 = stablehlo.convert %111 : (tensor<6xi64>) -> tensor<6xf32>
      %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %115 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %cst_41 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %116 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %117 = stablehlo.add %iterArg, %iterArg_27 : tensor<6xf32>
      %118 = stablehlo.negate %117 : tensor<6xf32>
      %119 = stablehlo.multiply %118, %iterArg_28 : tensor<6xf32>
      %120 = stablehlo.add %iterArg, %115 : tensor<6xf32>
      %121 = stablehlo.divide %119, %120 : tensor<6xf32>
      %122 = stablehlo.add %iterArg, %114 : tensor<6xf32>
      %123 = stablehlo.negate %122 : tensor<6xf32>
      %124 = stablehlo.add %iterArg, %iterArg_27 : tensor<6xf32>
      %125 = stablehlo.add %124, %114 : tensor<6xf32>
      %126 = stablehlo.multiply %123, %125 : tensor<6xf32>
      %127 = stablehlo.multiply %126, %iterArg_28 : tensor<6xf32>
      %128 = stablehlo.multiply %116, %114 : tensor<6xf32>
      %129 = stablehlo.add %iterArg, %128 : tensor<6xf32>
      %130 = stablehlo.multiply %116, %114 : tensor<6xf32>
      %131 = stablehlo.add %iterArg, %130 : tensor<6xf32>
      %132 = stablehlo.add %131, %115 : tensor<6xf32>
      %133 = stablehlo.multiply %129, %132 : tensor<6xf32>
      %134 = stablehlo.divide %127, %133 : tensor<6xf32>
      %135 = stablehlo.select %113, %121, %134 : tensor<6xi1>, tensor<6xf32>
      %136 = stablehlo.subtract %iterArg_27, %114 : tensor<6xf32>
      %137 = stablehlo.multiply %114, %136 : tensor<6xf32>
      %138 = stablehlo.multiply %137, %iterArg_28 : tensor<6xf32>
      %139 = stablehlo.multiply %116, %114 : tensor<6xf32>
      %140 = stablehlo.add %iterArg, %139 : tensor<6xf32>
      %141 = stablehlo.subtract %140, %115 : tensor<6xf32>
      %142 = stablehlo.multiply %116, %114 : tensor<6xf32>
      %143 = stablehlo.add %iterArg, %142 : tensor<6xf32>
      %144 = stablehlo.multiply %141, %143 : tensor<6xf32>
      %145 = stablehlo.divide %138, %144 : tensor<6xf32>
      %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %146 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %147 = stablehlo.select %105, %135, %145 : tensor<6xi1>, tensor<6xf32>
      %148 = stablehlo.select %107, %146, %147 : tensor<6xi1>, tensor<6xf32>
      %149 = stablehlo.broadcast_in_dim %iterArg_29, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %c_43 = stablehlo.constant dense<0> : tensor<i64>
      %150 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i64>) -> tensor<6xi64>
      %151 = stablehlo.compare EQ, %149, %150, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
      %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %152 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %153 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %154 = stablehlo.select %151, %152, %153 : tensor<6xi1>, tensor<6xf32>
      %155 = stablehlo.divide %148, %iterArg_31 : tensor<6xf32>
      %156 = stablehlo.add %154, %155 : tensor<6xf32>
      %cst_46 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
      %157 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %158 = stablehlo.abs %156 : tensor<6xf32>
      %159 = stablehlo.compare LT, %158, %157, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
      %160 = stablehlo.select %159, %157, %156 : tensor<6xi1>, tensor<6xf32>
      %161 = stablehlo.multiply %148, %iterArg_32 : tensor<6xf32>
      %162 = stablehlo.add %154, %161 : tensor<6xf32>
      %163 = stablehlo.abs %162 : tensor<6xf32>
      %164 = stablehlo.compare LT, %163, %157, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
      %165 = stablehlo.select %164, %157, %162 : tensor<6xi1>, tensor<6xf32>
      %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %166 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %167 = stablehlo.divide %166, %165 : tensor<6xf32>
      %168 = stablehlo.multiply %160, %167 : tensor<6xf32>
      %169 = stablehlo.multiply %iterArg_33, %168 : tensor<6xf32>
      %c_48 = stablehlo.constant dense<1> : tensor<i64>
      %170 = stablehlo.add %iterArg_29, %c_48 : tensor<i64>
      %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %171 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %172 = stablehlo.subtract %168, %171 : tensor<6xf32>
      %173 = stablehlo.abs %172 : tensor<6xf32>
      %cst_50 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
      %174 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %175 = stablehlo.compare GE, %173, %174, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
      %c_51 = stablehlo.constant dense<false> : tensor<i1>
      %176 = stablehlo.reduce(%175 init: %c_51) applies stablehlo.or across dimensions = [0] : (tensor<6xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %iterArg, %iterArg_27, %iterArg_28, %170, %176, %160, %167, %169 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<i64>, tensor<i1>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
    }
    %68 = chlo.lgamma %51 : tensor<6xf32> -> tensor<6xf32>
    %69 = stablehlo.add %50, %51 : tensor<6xf32>
    %70 = chlo.lgamma %69 : tensor<6xf32> -> tensor<6xf32>
    %71 = stablehlo.subtract %68, %70 : tensor<6xf32>
    %72 = chlo.lgamma %50 : tensor<6xf32> -> tensor<6xf32>
    %73 = stablehlo.add %72, %71 : tensor<6xf32>
    %cst_22 = stablehlo.constant dense<2.3509887E-38> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %75 = stablehlo.compare LT, %50, %74, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %76 = stablehlo.negate %54 : tensor<6xf32>
    %77 = stablehlo.log_plus_one %76 : tensor<6xf32>
    %78 = stablehlo.multiply %77, %51 : tensor<6xf32>
    %79 = stablehlo.subtract %78, %71 : tensor<6xf32>
    %80 = stablehlo.exponential %79 : tensor<6xf32>
    %81 = stablehlo.log %54 : tensor<6xf32>
    %82 = stablehlo.multiply %81, %50 : tensor<6xf32>
    %83 = stablehlo.negate %54 : tensor<6xf32>
    %84 = stablehlo.log_plus_one %83 : tensor<6xf32>
    %85 = stablehlo.multiply %84, %51 : tensor<6xf32>
    %86 = stablehlo.add %82, %85 : tensor<6xf32>
    %87 = stablehlo.subtract %86, %73 : tensor<6xf32>
    %88 = stablehlo.exponential %87 : tensor<6xf32>
    %89 = stablehlo.divide %88, %50 : tensor<6xf32>
    %90 = stablehlo.select %75, %80, %89 : tensor<6xi1>, tensor<6xf32>
    %91 = stablehlo.multiply %67#7, %90 : tensor<6xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %93 = stablehlo.subtract %92, %91 : tensor<6xf32>
    %94 = stablehlo.select %49, %91, %93 : tensor<6xi1>, tensor<6xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %96 = stablehlo.select %25, %95, %94 : tensor<6xi1>, tensor<6xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %98 = stablehlo.select %28, %97, %96 : tensor<6xi1>, tensor<6xf32>
    %cst_26 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %100 = stablehlo.select %42, %99, %98 : tensor<6xi1>, tensor<6xf32>
    return %100 : tensor<6xf32>
  }
  func.func private @remainder(%arg0: tensor<6xi64>, %arg1: tensor<6xi64>) -> tensor<6xi64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %3 = call @_where(%1, %2, %arg1) : (tensor<6xi1>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    %4 = stablehlo.remainder %arg0, %3 : tensor<6xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %12 = stablehlo.and %11, %6 : tensor<6xi1>
    %13 = stablehlo.add %4, %3 : tensor<6xi64>
    %14 = stablehlo.select %12, %13, %4 : tensor<6xi1>, tensor<6xi64>
    return %14 : tensor<6xi64>
  }
  func.func private @_where(%arg0: tensor<6xi1>, %arg1: tensor<6xi64>, %arg2: tensor<6xi64>) -> tensor<6xi64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xi64>
    return %0 : tensor<6xi64>
  }
  func.func private @floor_divide(%arg0: tensor<6xi64>, %arg1: tensor<6xi64>) -> tensor<6xi64> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<6xi64>
    %1 = stablehlo.sign %arg0 : tensor<6xi64>
    %2 = stablehlo.sign %arg1 : tensor<6xi64>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<6xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6xi1>
    %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %9 = stablehlo.convert %8 : tensor<6xi1>
    %c_1 = stablehlo.constant dense<false> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<6xi1>
    %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %12 = stablehlo.convert %11 : tensor<6xi1>
    %13 = stablehlo.and %9, %12 : tensor<6xi1>
    %c_2 = stablehlo.constant dense<1> : tensor<i64>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<6xi64>
    %15 = stablehlo.subtract %0, %14 : tensor<6xi64>
    %16 = call @_where_0(%13, %15, %0) : (tensor<6xi1>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
    return %16 : tensor<6xi64>
  }
  func.func private @_where_0(%arg0: tensor<6xi1>, %arg1: tensor<6xi64>, %arg2: tensor<6xi64>) -> tensor<6xi64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xi64>
    return %0 : tensor<6xi64>
  }
}
