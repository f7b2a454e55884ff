// betainc, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f32(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> (tensor<61xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare EQ, %arg1, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.or %1, %3 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare EQ, %arg1, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.compare EQ, %arg0, %7, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %9 = stablehlo.or %6, %8 : tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.compare EQ, %arg2, %10, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %13 = stablehlo.compare EQ, %arg2, %12, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %14 = stablehlo.not %11 : tensor<61xi1>
  %15 = stablehlo.not %13 : tensor<61xi1>
  %16 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %17 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %18 = stablehlo.or %16, %17 : tensor<61xi1>
  %19 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %20 = stablehlo.or %18, %19 : tensor<61xi1>
  %21 = stablehlo.and %9, %15 : tensor<61xi1>
  %22 = stablehlo.and %4, %11 : tensor<61xi1>
  %23 = stablehlo.or %21, %22 : tensor<61xi1>
  %24 = stablehlo.and %4, %14 : tensor<61xi1>
  %25 = stablehlo.and %9, %13 : tensor<61xi1>
  %26 = stablehlo.or %24, %25 : tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %28 = stablehlo.compare LT, %arg0, %27, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.compare LT, %arg1, %29, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %31 = stablehlo.or %28, %30 : tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %33 = stablehlo.compare LT, %arg2, %32, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %34 = stablehlo.or %31, %33 : tensor<61xi1>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %36 = stablehlo.compare GT, %arg2, %35, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %37 = stablehlo.or %34, %36 : tensor<61xi1>
  %38 = stablehlo.and %4, %9 : tensor<61xi1>
  %39 = stablehlo.or %38, %20 : tensor<61xi1>
  %40 = stablehlo.or %37, %39 : tensor<61xi1>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %42 = stablehlo.add %arg0, %41 : tensor<61xf32>
  %43 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %45 = stablehlo.add %43, %44 : tensor<61xf32>
  %46 = stablehlo.divide %42, %45 : tensor<61xf32>
  %47 = stablehlo.compare LT, %arg2, %46, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %48 = stablehlo.select %47, %arg0, %arg1 : tensor<61xi1>, tensor<61xf32>
  %49 = stablehlo.select %47, %arg1, %arg0 : tensor<61xi1>, tensor<61xf32>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %51 = stablehlo.subtract %50, %arg2 : tensor<61xf32>
  %52 = stablehlo.select %47, %arg2, %51 : tensor<61xi1>, tensor<61xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %53 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %c_12 = stablehlo.constant dense<0> : tensor<i32>
  %54 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %55 = stablehlo.compare EQ, %53, %54, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %57 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %58 = stablehlo.select %55, %56, %57 : tensor<61xi1>, tensor<61xf32>
  %59 = stablehlo.abs %58 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %61 = stablehlo.compare LT, %59, %60, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_16 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %62 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %63 = stablehlo.select %61, %62, %58 : tensor<61xi1>, tensor<61xf32>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %c_18 = stablehlo.constant dense<1> : tensor<i32>
  %c_19 = stablehlo.constant dense<true> : tensor<i1>
  %65:8 = stablehlo.while(%iterArg = %48, %iterArg_25 = %49, %iterArg_26 = %52, %iterArg_27 = %c_18, %iterArg_28 = %c_19, %iterArg_29 = %63, %iterArg_30 = %64, %iterArg_31 = %63) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i32>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c_32 = stablehlo.constant dense<200> : tensor<i32>
    %99 = stablehlo.compare LT, %iterArg_27, %c_32, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %100 = stablehlo.and %99, %iterArg_28 : tensor<i1>
    stablehlo.return %100 : tensor<i1>
  } do {
    %99 = stablehlo.broadcast_in_dim %iterArg_27, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %c_32 = stablehlo.constant dense<2> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %101 = func.call @f32.remainder(%99, %100) : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %102 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %103 = stablehlo.compare EQ, %101, %102, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %c_34 = stablehlo.constant dense<1> : tensor<i32>
    %104 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %105 = stablehlo.compare EQ, %99, %104, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %c_35 = stablehlo.constant dense<1> : tensor<i32>
    %106 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %107 = stablehlo.subtract %99, %106 : tensor<61xi32>
    %c_36 = stablehlo.constant dense<2> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %109 = func.call @f32.floor_divide(%107, %108) : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %110 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %111 = stablehlo.compare EQ, %109, %110, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %112 = stablehlo.convert %109 : (tensor<61xi32>) -> tensor<61xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %115 = stablehlo.add %iterArg, %iterArg_25 : tensor<61xf32>
    %116 = stablehlo.negate %115 : tensor<61xf32>
    %117 = stablehlo.multiply %116, %iterArg_26 : tensor<61xf32>
    %118 = stablehlo.add %iterArg, %113 : tensor<61xf32>
    %119 = stablehlo.divide %117, %118 : tensor<61xf32>
    %120 = stablehlo.add %iterArg, %112 : tensor<61xf32>
    %121 = stablehlo.negate %120 : tensor<61xf32>
    %122 = stablehlo.add %iterArg, %iterArg_25 : tensor<61xf32>
    %123 = stablehlo.add %122, %112 : tensor<61xf32>
    %124 = stablehlo.multiply %121, %123 : tensor<61xf32>
    %125 = stablehlo.multiply %124, %iterArg_26 : tensor<61xf32>
    %126 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %127 = stablehlo.add %iterArg, %126 : tensor<61xf32>
    %128 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %129 = stablehlo.add %iterArg, %128 : tensor<61xf32>
    %130 = stablehlo.add %129, %113 : tensor<61xf32>
    %131 = stablehlo.multiply %127, %130 : tensor<61xf32>
    %132 = stablehlo.divide %125, %131 : tensor<61xf32>
    %133 = stablehlo.select %111, %119, %132 : tensor<61xi1>, tensor<61xf32>
    %134 = stablehlo.subtract %iterArg_25, %112 : tensor<61xf32>
    %135 = stablehlo.multiply %112, %134 : tensor<61xf32>
    %136 = stablehlo.multiply %135, %iterArg_26 : tensor<61xf32>
    %137 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %138 = stablehlo.add %iterArg, %137 : tensor<61xf32>
    %139 = stablehlo.subtract %138, %113 : tensor<61xf32>
    %140 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %141 = stablehlo.add %iterArg, %140 : tensor<61xf32>
    %142 = stablehlo.multiply %139, %141 : tensor<61xf32>
    %143 = stablehlo.divide %136, %142 : tensor<61xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %145 = stablehlo.select %103, %133, %143 : tensor<61xi1>, tensor<61xf32>
    %146 = stablehlo.select %105, %144, %145 : tensor<61xi1>, tensor<61xf32>
    %147 = stablehlo.broadcast_in_dim %iterArg_27, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %148 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %149 = stablehlo.compare EQ, %147, %148, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %152 = stablehlo.select %149, %150, %151 : tensor<61xi1>, tensor<61xf32>
    %153 = stablehlo.divide %146, %iterArg_29 : tensor<61xf32>
    %154 = stablehlo.add %152, %153 : tensor<61xf32>
    %cst_44 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %156 = stablehlo.abs %154 : tensor<61xf32>
    %157 = stablehlo.compare LT, %156, %155, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %158 = stablehlo.select %157, %155, %154 : tensor<61xi1>, tensor<61xf32>
    %159 = stablehlo.multiply %146, %iterArg_30 : tensor<61xf32>
    %160 = stablehlo.add %152, %159 : tensor<61xf32>
    %161 = stablehlo.abs %160 : tensor<61xf32>
    %162 = stablehlo.compare LT, %161, %155, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %163 = stablehlo.select %162, %155, %160 : tensor<61xi1>, tensor<61xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %165 = stablehlo.divide %164, %163 : tensor<61xf32>
    %166 = stablehlo.multiply %158, %165 : tensor<61xf32>
    %167 = stablehlo.multiply %iterArg_31, %166 : tensor<61xf32>
    %c_46 = stablehlo.constant dense<1> : tensor<i32>
    %168 = stablehlo.add %iterArg_27, %c_46 : tensor<i32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %170 = stablehlo.subtract %166, %169 : tensor<61xf32>
    %171 = stablehlo.abs %170 : tensor<61xf32>
    %cst_48 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %173 = stablehlo.compare GE, %171, %172, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_49 = stablehlo.constant dense<false> : tensor<i1>
    %174 = stablehlo.reduce(%173 init: %c_49) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %iterArg, %iterArg_25, %iterArg_26, %168, %174, %158, %165, %167 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i32>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %66 = chlo.lgamma %49 : tensor<61xf32> -> tensor<61xf32>
  %67 = stablehlo.add %48, %49 : tensor<61xf32>
  %68 = chlo.lgamma %67 : tensor<61xf32> -> tensor<61xf32>
  %69 = stablehlo.subtract %66, %68 : tensor<61xf32>
  %70 = chlo.lgamma %48 : tensor<61xf32> -> tensor<61xf32>
  %71 = stablehlo.add %70, %69 : tensor<61xf32>
  %cst_20 = stablehlo.constant dense<2.3509887E-38> : tensor<f32>
  %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %73 = stablehlo.compare LT, %48, %72, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %74 = stablehlo.negate %52 : tensor<61xf32>
  %75 = stablehlo.log_plus_one %74 : tensor<61xf32>
  %76 = stablehlo.multiply %75, %49 : tensor<61xf32>
  %77 = stablehlo.subtract %76, %69 : tensor<61xf32>
  %78 = stablehlo.exponential %77 : tensor<61xf32>
  %79 = stablehlo.log %52 : tensor<61xf32>
  %80 = stablehlo.multiply %79, %48 : tensor<61xf32>
  %81 = stablehlo.negate %52 : tensor<61xf32>
  %82 = stablehlo.log_plus_one %81 : tensor<61xf32>
  %83 = stablehlo.multiply %82, %49 : tensor<61xf32>
  %84 = stablehlo.add %80, %83 : tensor<61xf32>
  %85 = stablehlo.subtract %84, %71 : tensor<61xf32>
  %86 = stablehlo.exponential %85 : tensor<61xf32>
  %87 = stablehlo.divide %86, %48 : tensor<61xf32>
  %88 = stablehlo.select %73, %78, %87 : tensor<61xi1>, tensor<61xf32>
  %89 = stablehlo.multiply %65#7, %88 : tensor<61xf32>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %90 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %91 = stablehlo.subtract %90, %89 : tensor<61xf32>
  %92 = stablehlo.select %47, %89, %91 : tensor<61xi1>, tensor<61xf32>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %93 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %94 = stablehlo.select %23, %93, %92 : tensor<61xi1>, tensor<61xf32>
  %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %95 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %96 = stablehlo.select %26, %95, %94 : tensor<61xi1>, tensor<61xf32>
  %cst_24 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %97 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %98 = stablehlo.select %40, %97, %96 : tensor<61xi1>, tensor<61xf32>
  return %98 : tensor<61xf32>
}
func.func private @f32.remainder(%arg0: tensor<61xi32>, %arg1: tensor<61xi32>) -> tensor<61xi32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %3 = call @f32._where(%1, %2, %arg1) : (tensor<61xi1>, tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
  %4 = stablehlo.remainder %arg0, %3 : tensor<61xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.and %11, %6 : tensor<61xi1>
  %13 = stablehlo.add %4, %3 : tensor<61xi32>
  %14 = stablehlo.select %12, %13, %4 : tensor<61xi1>, tensor<61xi32>
  return %14 : tensor<61xi32>
}
func.func private @f32._where(%arg0: tensor<61xi1>, %arg1: tensor<61xi32>, %arg2: tensor<61xi32>) -> tensor<61xi32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi32>
  return %0 : tensor<61xi32>
}
func.func private @f32.floor_divide(%arg0: tensor<61xi32>, %arg1: tensor<61xi32>) -> tensor<61xi32> {
  %0 = stablehlo.divide %arg0, %arg1 : tensor<61xi32>
  %1 = stablehlo.sign %arg0 : tensor<61xi32>
  %2 = stablehlo.sign %arg1 : tensor<61xi32>
  %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %4 = stablehlo.remainder %arg0, %arg1 : tensor<61xi32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %9 = stablehlo.convert %8 : tensor<61xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<i1>
  %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.convert %11 : tensor<61xi1>
  %13 = stablehlo.and %9, %12 : tensor<61xi1>
  %c_2 = stablehlo.constant dense<1> : tensor<i32>
  %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %15 = stablehlo.subtract %0, %14 : tensor<61xi32>
  %16 = call @f32._where_0(%13, %15, %0) : (tensor<61xi1>, tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
  return %16 : tensor<61xi32>
}
func.func private @f32._where_0(%arg0: tensor<61xi1>, %arg1: tensor<61xi32>, %arg2: tensor<61xi32>) -> tensor<61xi32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi32>
  return %0 : tensor<61xi32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>, %arg4: tensor<61xf32>, %arg5: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare GT, %arg1, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.and %1, %3 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare LT, %arg0, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %7 = stablehlo.and %4, %6 : tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.compare LT, %arg1, %8, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %10 = stablehlo.and %7, %9 : tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.compare GT, %arg2, %11, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %13 = stablehlo.and %10, %12 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.compare LT, %arg2, %14, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %16 = stablehlo.and %13, %15 : tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.compare GT, %arg0, %17, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %20 = stablehlo.compare GT, %arg1, %19, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %21 = stablehlo.and %18, %20 : tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %23 = stablehlo.compare EQ, %arg2, %22, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %25 = stablehlo.compare EQ, %arg2, %24, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %26 = stablehlo.or %23, %25 : tensor<61xi1>
  %27 = stablehlo.and %21, %26 : tensor<61xi1>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %28 = call @f32_rule._where(%16, %arg0, %c) : (tensor<61xi1>, tensor<61xf32>, tensor<i32>) -> tensor<61xf32>
  %c_9 = stablehlo.constant dense<1> : tensor<i32>
  %29 = call @f32_rule._where(%16, %arg1, %c_9) : (tensor<61xi1>, tensor<61xf32>, tensor<i32>) -> tensor<61xf32>
  %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %30 = call @f32_rule._where_0(%16, %arg2, %cst_10) : (tensor<61xi1>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %31 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %32 = stablehlo.subtract %arg0, %31 : tensor<61xf32>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %33 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %34 = stablehlo.compare NE, %32, %33, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %35 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %36 = stablehlo.or %34, %35 : tensor<61xi1>
  %37 = stablehlo.log %arg2 : tensor<61xf32>
  %38 = stablehlo.multiply %32, %37 : tensor<61xf32>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40 = call @f32_rule._where_1(%36, %38, %39) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %42 = stablehlo.subtract %arg1, %41 : tensor<61xf32>
  %43 = stablehlo.negate %arg2 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %44 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %45 = stablehlo.compare NE, %42, %44, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %46 = stablehlo.compare NE, %43, %43, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %47 = stablehlo.or %45, %46 : tensor<61xi1>
  %48 = stablehlo.log_plus_one %43 : tensor<61xf32>
  %49 = stablehlo.multiply %42, %48 : tensor<61xf32>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %51 = call @f32_rule._where_1(%47, %49, %50) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %52 = stablehlo.add %40, %51 : tensor<61xf32>
  %53 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %54 = chlo.lgamma %arg1 : tensor<61xf32> -> tensor<61xf32>
  %55 = stablehlo.add %53, %54 : tensor<61xf32>
  %56 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %57 = chlo.lgamma %56 : tensor<61xf32> -> tensor<61xf32>
  %58 = stablehlo.subtract %55, %57 : tensor<61xf32>
  %59 = stablehlo.subtract %52, %58 : tensor<61xf32>
  %60 = stablehlo.exponential %59 : tensor<61xf32>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %62 = stablehlo.compare EQ, %arg0, %61, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_18 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %64 = stablehlo.compare EQ, %arg1, %63, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %65 = stablehlo.or %62, %64 : tensor<61xi1>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %67 = stablehlo.compare EQ, %arg1, %66, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_20 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %69 = stablehlo.compare EQ, %arg0, %68, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %70 = stablehlo.or %67, %69 : tensor<61xi1>
  %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %72 = stablehlo.compare EQ, %arg2, %71, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %74 = stablehlo.compare EQ, %arg2, %73, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %75 = stablehlo.not %72 : tensor<61xi1>
  %76 = stablehlo.not %74 : tensor<61xi1>
  %77 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %78 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %79 = stablehlo.or %77, %78 : tensor<61xi1>
  %80 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %81 = stablehlo.or %79, %80 : tensor<61xi1>
  %82 = stablehlo.and %70, %76 : tensor<61xi1>
  %83 = stablehlo.and %65, %72 : tensor<61xi1>
  %84 = stablehlo.or %82, %83 : tensor<61xi1>
  %85 = stablehlo.and %65, %75 : tensor<61xi1>
  %86 = stablehlo.and %70, %74 : tensor<61xi1>
  %87 = stablehlo.or %85, %86 : tensor<61xi1>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %88 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %89 = stablehlo.compare LT, %arg0, %88, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %91 = stablehlo.compare LT, %arg1, %90, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %92 = stablehlo.or %89, %91 : tensor<61xi1>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %93 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %94 = stablehlo.compare LT, %arg2, %93, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %95 = stablehlo.or %92, %94 : tensor<61xi1>
  %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %97 = stablehlo.compare GT, %arg2, %96, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %98 = stablehlo.or %95, %97 : tensor<61xi1>
  %99 = stablehlo.and %65, %70 : tensor<61xi1>
  %100 = stablehlo.or %99, %81 : tensor<61xi1>
  %101 = stablehlo.or %98, %100 : tensor<61xi1>
  %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %103 = stablehlo.add %arg0, %102 : tensor<61xf32>
  %104 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %106 = stablehlo.add %104, %105 : tensor<61xf32>
  %107 = stablehlo.divide %103, %106 : tensor<61xf32>
  %108 = stablehlo.compare LT, %arg2, %107, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %109 = stablehlo.select %108, %arg0, %arg1 : tensor<61xi1>, tensor<61xf32>
  %110 = stablehlo.select %108, %arg1, %arg0 : tensor<61xi1>, tensor<61xf32>
  %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %111 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %112 = stablehlo.subtract %111, %arg2 : tensor<61xf32>
  %113 = stablehlo.select %108, %arg2, %112 : tensor<61xi1>, tensor<61xf32>
  %c_30 = stablehlo.constant dense<0> : tensor<i32>
  %114 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %c_31 = stablehlo.constant dense<0> : tensor<i32>
  %115 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %116 = stablehlo.compare EQ, %114, %115, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %117 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %118 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %119 = stablehlo.select %116, %117, %118 : tensor<61xi1>, tensor<61xf32>
  %120 = stablehlo.abs %119 : tensor<61xf32>
  %cst_34 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %121 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %122 = stablehlo.compare LT, %120, %121, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_35 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %123 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %124 = stablehlo.select %122, %123, %119 : tensor<61xi1>, tensor<61xf32>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %125 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %c_37 = stablehlo.constant dense<1> : tensor<i32>
  %c_38 = stablehlo.constant dense<true> : tensor<i1>
  %126:8 = stablehlo.while(%iterArg = %109, %iterArg_90 = %110, %iterArg_91 = %113, %iterArg_92 = %c_37, %iterArg_93 = %c_38, %iterArg_94 = %124, %iterArg_95 = %125, %iterArg_96 = %124) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i32>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c_97 = stablehlo.constant dense<200> : tensor<i32>
    %377 = stablehlo.compare LT, %iterArg_92, %c_97, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %378 = stablehlo.and %377, %iterArg_93 : tensor<i1>
    stablehlo.return %378 : tensor<i1>
  } do {
    %377 = stablehlo.broadcast_in_dim %iterArg_92, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %c_97 = stablehlo.constant dense<2> : tensor<i32>
    %378 = stablehlo.broadcast_in_dim %c_97, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %379 = func.call @f32_rule.remainder(%377, %378) : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
    %c_98 = stablehlo.constant dense<0> : tensor<i32>
    %380 = stablehlo.broadcast_in_dim %c_98, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %381 = stablehlo.compare EQ, %379, %380, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %c_99 = stablehlo.constant dense<1> : tensor<i32>
    %382 = stablehlo.broadcast_in_dim %c_99, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %383 = stablehlo.compare EQ, %377, %382, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %c_100 = stablehlo.constant dense<1> : tensor<i32>
    %384 = stablehlo.broadcast_in_dim %c_100, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %385 = stablehlo.subtract %377, %384 : tensor<61xi32>
    %c_101 = stablehlo.constant dense<2> : tensor<i32>
    %386 = stablehlo.broadcast_in_dim %c_101, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %387 = func.call @f32_rule.floor_divide(%385, %386) : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
    %c_102 = stablehlo.constant dense<0> : tensor<i32>
    %388 = stablehlo.broadcast_in_dim %c_102, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %389 = stablehlo.compare EQ, %387, %388, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %390 = stablehlo.convert %387 : (tensor<61xi32>) -> tensor<61xf32>
    %cst_103 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_104 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %392 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %393 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %394 = stablehlo.negate %393 : tensor<61xf32>
    %395 = stablehlo.multiply %394, %iterArg_91 : tensor<61xf32>
    %396 = stablehlo.add %iterArg, %391 : tensor<61xf32>
    %397 = stablehlo.divide %395, %396 : tensor<61xf32>
    %398 = stablehlo.add %iterArg, %390 : tensor<61xf32>
    %399 = stablehlo.negate %398 : tensor<61xf32>
    %400 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %401 = stablehlo.add %400, %390 : tensor<61xf32>
    %402 = stablehlo.multiply %399, %401 : tensor<61xf32>
    %403 = stablehlo.multiply %402, %iterArg_91 : tensor<61xf32>
    %404 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %405 = stablehlo.add %iterArg, %404 : tensor<61xf32>
    %406 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %407 = stablehlo.add %iterArg, %406 : tensor<61xf32>
    %408 = stablehlo.add %407, %391 : tensor<61xf32>
    %409 = stablehlo.multiply %405, %408 : tensor<61xf32>
    %410 = stablehlo.divide %403, %409 : tensor<61xf32>
    %411 = stablehlo.select %389, %397, %410 : tensor<61xi1>, tensor<61xf32>
    %412 = stablehlo.subtract %iterArg_90, %390 : tensor<61xf32>
    %413 = stablehlo.multiply %390, %412 : tensor<61xf32>
    %414 = stablehlo.multiply %413, %iterArg_91 : tensor<61xf32>
    %415 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %416 = stablehlo.add %iterArg, %415 : tensor<61xf32>
    %417 = stablehlo.subtract %416, %391 : tensor<61xf32>
    %418 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %419 = stablehlo.add %iterArg, %418 : tensor<61xf32>
    %420 = stablehlo.multiply %417, %419 : tensor<61xf32>
    %421 = stablehlo.divide %414, %420 : tensor<61xf32>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %422 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %423 = stablehlo.select %381, %411, %421 : tensor<61xi1>, tensor<61xf32>
    %424 = stablehlo.select %383, %422, %423 : tensor<61xi1>, tensor<61xf32>
    %425 = stablehlo.broadcast_in_dim %iterArg_92, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %c_106 = stablehlo.constant dense<0> : tensor<i32>
    %426 = stablehlo.broadcast_in_dim %c_106, dims = [] : (tensor<i32>) -> tensor<61xi32>
    %427 = stablehlo.compare EQ, %425, %426, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %430 = stablehlo.select %427, %428, %429 : tensor<61xi1>, tensor<61xf32>
    %431 = stablehlo.divide %424, %iterArg_94 : tensor<61xf32>
    %432 = stablehlo.add %430, %431 : tensor<61xf32>
    %cst_109 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %434 = stablehlo.abs %432 : tensor<61xf32>
    %435 = stablehlo.compare LT, %434, %433, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %436 = stablehlo.select %435, %433, %432 : tensor<61xi1>, tensor<61xf32>
    %437 = stablehlo.multiply %424, %iterArg_95 : tensor<61xf32>
    %438 = stablehlo.add %430, %437 : tensor<61xf32>
    %439 = stablehlo.abs %438 : tensor<61xf32>
    %440 = stablehlo.compare LT, %439, %433, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %441 = stablehlo.select %440, %433, %438 : tensor<61xi1>, tensor<61xf32>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %442 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %443 = stablehlo.divide %442, %441 : tensor<61xf32>
    %444 = stablehlo.multiply %436, %443 : tensor<61xf32>
    %445 = stablehlo.multiply %iterArg_96, %444 : tensor<61xf32>
    %c_111 = stablehlo.constant dense<1> : tensor<i32>
    %446 = stablehlo.add %iterArg_92, %c_111 : tensor<i32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %447 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %448 = stablehlo.subtract %444, %447 : tensor<61xf32>
    %449 = stablehlo.abs %448 : tensor<61xf32>
    %cst_113 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %450 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %451 = stablehlo.compare GE, %449, %450, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_114 = stablehlo.constant dense<false> : tensor<i1>
    %452 = stablehlo.reduce(%451 init: %c_114) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %446, %452, %436, %443, %445 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i32>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %127 = chlo.lgamma %110 : tensor<61xf32> -> tensor<61xf32>
  %128 = stablehlo.add %109, %110 : tensor<61xf32>
  %129 = chlo.lgamma %128 : tensor<61xf32> -> tensor<61xf32>
  %130 = stablehlo.subtract %127, %129 : tensor<61xf32>
  %131 = chlo.lgamma %109 : tensor<61xf32> -> tensor<61xf32>
  %132 = stablehlo.add %131, %130 : tensor<61xf32>
  %cst_39 = stablehlo.constant dense<2.3509887E-38> : tensor<f32>
  %133 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %134 = stablehlo.compare LT, %109, %133, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %135 = stablehlo.negate %113 : tensor<61xf32>
  %136 = stablehlo.log_plus_one %135 : tensor<61xf32>
  %137 = stablehlo.multiply %136, %110 : tensor<61xf32>
  %138 = stablehlo.subtract %137, %130 : tensor<61xf32>
  %139 = stablehlo.exponential %138 : tensor<61xf32>
  %140 = stablehlo.log %113 : tensor<61xf32>
  %141 = stablehlo.multiply %140, %109 : tensor<61xf32>
  %142 = stablehlo.negate %113 : tensor<61xf32>
  %143 = stablehlo.log_plus_one %142 : tensor<61xf32>
  %144 = stablehlo.multiply %143, %110 : tensor<61xf32>
  %145 = stablehlo.add %141, %144 : tensor<61xf32>
  %146 = stablehlo.subtract %145, %132 : tensor<61xf32>
  %147 = stablehlo.exponential %146 : tensor<61xf32>
  %148 = stablehlo.divide %147, %109 : tensor<61xf32>
  %149 = stablehlo.select %134, %139, %148 : tensor<61xi1>, tensor<61xf32>
  %150 = stablehlo.multiply %126#7, %149 : tensor<61xf32>
  %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %151 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %152 = stablehlo.subtract %151, %150 : tensor<61xf32>
  %153 = stablehlo.select %108, %150, %152 : tensor<61xi1>, tensor<61xf32>
  %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %154 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %155 = stablehlo.select %84, %154, %153 : tensor<61xi1>, tensor<61xf32>
  %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %156 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %157 = stablehlo.select %87, %156, %155 : tensor<61xi1>, tensor<61xf32>
  %cst_43 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %158 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %159 = stablehlo.select %101, %158, %157 : tensor<61xi1>, tensor<61xf32>
  %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %160 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %161 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %162 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %163 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %164 = stablehlo.add %28, %163 : tensor<61xf32>
  %165 = stablehlo.add %28, %29 : tensor<61xf32>
  %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %166 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %167 = stablehlo.add %165, %166 : tensor<61xf32>
  %168 = stablehlo.divide %164, %167 : tensor<61xf32>
  %169 = stablehlo.compare GT, %30, %168, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %170 = stablehlo.log %30 : tensor<61xf32>
  %171 = stablehlo.divide %162, %30 : tensor<61xf32>
  %172 = stablehlo.multiply %28, %170 : tensor<61xf32>
  %173 = stablehlo.multiply %160, %170 : tensor<61xf32>
  %174 = stablehlo.multiply %28, %171 : tensor<61xf32>
  %175 = stablehlo.add %173, %174 : tensor<61xf32>
  %176 = stablehlo.negate %30 : tensor<61xf32>
  %177 = stablehlo.negate %162 : tensor<61xf32>
  %178 = stablehlo.log_plus_one %176 : tensor<61xf32>
  %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %179 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %180 = stablehlo.add %176, %179 : tensor<61xf32>
  %181 = stablehlo.divide %177, %180 : tensor<61xf32>
  %182 = stablehlo.multiply %29, %178 : tensor<61xf32>
  %183 = stablehlo.multiply %161, %178 : tensor<61xf32>
  %184 = stablehlo.multiply %29, %181 : tensor<61xf32>
  %185 = stablehlo.add %183, %184 : tensor<61xf32>
  %186 = stablehlo.add %172, %182 : tensor<61xf32>
  %187 = stablehlo.add %175, %185 : tensor<61xf32>
  %188 = chlo.lgamma %28 : tensor<61xf32> -> tensor<61xf32>
  %189 = chlo.digamma %28 : tensor<61xf32> -> tensor<61xf32>
  %190 = stablehlo.multiply %160, %189 : tensor<61xf32>
  %191 = chlo.lgamma %29 : tensor<61xf32> -> tensor<61xf32>
  %192 = chlo.digamma %29 : tensor<61xf32> -> tensor<61xf32>
  %193 = stablehlo.multiply %161, %192 : tensor<61xf32>
  %194 = stablehlo.add %188, %191 : tensor<61xf32>
  %195 = stablehlo.add %190, %193 : tensor<61xf32>
  %196 = stablehlo.add %28, %29 : tensor<61xf32>
  %197 = stablehlo.add %160, %161 : tensor<61xf32>
  %198 = chlo.lgamma %196 : tensor<61xf32> -> tensor<61xf32>
  %199 = chlo.digamma %196 : tensor<61xf32> -> tensor<61xf32>
  %200 = stablehlo.multiply %197, %199 : tensor<61xf32>
  %201 = stablehlo.subtract %194, %198 : tensor<61xf32>
  %202 = stablehlo.subtract %195, %200 : tensor<61xf32>
  %203 = stablehlo.subtract %186, %201 : tensor<61xf32>
  %204 = stablehlo.subtract %187, %202 : tensor<61xf32>
  %205 = stablehlo.exponential %203 : tensor<61xf32>
  %206 = stablehlo.multiply %204, %205 : tensor<61xf32>
  %207:2 = call @f32_rule._where_4(%169, %29, %28, %161, %160) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %208:2 = call @f32_rule._where_4(%169, %28, %29, %160, %161) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %209 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %210 = stablehlo.subtract %209, %30 : tensor<61xf32>
  %211 = stablehlo.negate %162 : tensor<61xf32>
  %212:2 = call @f32_rule._where_4(%169, %210, %30, %211, %162) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %213 = stablehlo.add %207#0, %208#0 : tensor<61xf32>
  %214 = stablehlo.add %207#1, %208#1 : tensor<61xf32>
  %215 = stablehlo.multiply %213, %212#0 : tensor<61xf32>
  %216 = stablehlo.multiply %214, %212#0 : tensor<61xf32>
  %217 = stablehlo.multiply %213, %212#1 : tensor<61xf32>
  %218 = stablehlo.add %216, %217 : tensor<61xf32>
  %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %219 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %220 = stablehlo.add %207#0, %219 : tensor<61xf32>
  %221 = stablehlo.divide %215, %220 : tensor<61xf32>
  %222 = stablehlo.divide %218, %220 : tensor<61xf32>
  %223 = stablehlo.negate %207#1 : tensor<61xf32>
  %224 = stablehlo.multiply %223, %215 : tensor<61xf32>
  %225 = stablehlo.multiply %220, %220 : tensor<61xf32>
  %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %226 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %227 = stablehlo.divide %226, %225 : tensor<61xf32>
  %228 = stablehlo.multiply %224, %227 : tensor<61xf32>
  %229 = stablehlo.add %222, %228 : tensor<61xf32>
  %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %230 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %231 = stablehlo.subtract %230, %221 : tensor<61xf32>
  %232 = stablehlo.negate %229 : tensor<61xf32>
  %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %233 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %234 = stablehlo.compare EQ, %231, %233, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_55 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
  %235:2 = call @f32_rule._where_5(%234, %cst_55, %231, %232) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %236 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %237 = stablehlo.divide %236, %235#0 : tensor<61xf32>
  %238 = stablehlo.negate %235#1 : tensor<61xf32>
  %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %239 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %240 = stablehlo.multiply %238, %239 : tensor<61xf32>
  %241 = stablehlo.multiply %235#0, %235#0 : tensor<61xf32>
  %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %242 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %243 = stablehlo.divide %242, %241 : tensor<61xf32>
  %244 = stablehlo.multiply %240, %243 : tensor<61xf32>
  %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %245 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %246 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %247 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %248 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %249:15 = stablehlo.while(%iterArg = %207#0, %iterArg_90 = %208#0, %iterArg_91 = %212#0, %iterArg_92 = %207#1, %iterArg_93 = %208#1, %iterArg_94 = %212#1, %iterArg_95 = %cst_63, %iterArg_96 = %245, %iterArg_97 = %237, %iterArg_98 = %237, %iterArg_99 = %246, %iterArg_100 = %247, %iterArg_101 = %244, %iterArg_102 = %244, %iterArg_103 = %248) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %378 = stablehlo.subtract %iterArg_99, %377 : tensor<61xf32>
    %379 = stablehlo.abs %378 : tensor<61xf32>
    %cst_105 = stablehlo.constant dense<4.76837158E-7> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %381 = stablehlo.compare GT, %379, %380, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_106 = stablehlo.constant dense<false> : tensor<i1>
    %382 = stablehlo.reduce(%381 init: %c_106) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %cst_107 = stablehlo.constant dense<3.000000e+04> : tensor<f32>
    %383 = stablehlo.compare LT, %iterArg_95, %cst_107, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %384 = stablehlo.and %382, %383 : tensor<i1>
    stablehlo.return %384 : tensor<i1>
  } do {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.add %iterArg_95, %cst_104 : tensor<f32>
    %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %378 = stablehlo.multiply %cst_105, %377 : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %380 = stablehlo.add %iterArg, %379 : tensor<61xf32>
    %381 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %382 = stablehlo.subtract %iterArg_90, %381 : tensor<61xf32>
    %383 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %384 = stablehlo.multiply %383, %382 : tensor<61xf32>
    %385 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %386 = stablehlo.multiply %385, %iterArg_93 : tensor<61xf32>
    %387 = stablehlo.multiply %384, %iterArg_91 : tensor<61xf32>
    %388 = stablehlo.multiply %386, %iterArg_91 : tensor<61xf32>
    %389 = stablehlo.multiply %384, %iterArg_94 : tensor<61xf32>
    %390 = stablehlo.add %388, %389 : tensor<61xf32>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %392 = stablehlo.subtract %380, %391 : tensor<61xf32>
    %393 = stablehlo.multiply %392, %380 : tensor<61xf32>
    %394 = stablehlo.multiply %iterArg_92, %380 : tensor<61xf32>
    %395 = stablehlo.multiply %392, %iterArg_92 : tensor<61xf32>
    %396 = stablehlo.add %394, %395 : tensor<61xf32>
    %397 = stablehlo.divide %387, %393 : tensor<61xf32>
    %398 = stablehlo.divide %390, %393 : tensor<61xf32>
    %399 = stablehlo.negate %396 : tensor<61xf32>
    %400 = stablehlo.multiply %399, %387 : tensor<61xf32>
    %401 = stablehlo.multiply %393, %393 : tensor<61xf32>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %402 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %403 = stablehlo.divide %402, %401 : tensor<61xf32>
    %404 = stablehlo.multiply %400, %403 : tensor<61xf32>
    %405 = stablehlo.add %398, %404 : tensor<61xf32>
    %406 = stablehlo.divide %397, %iterArg_96 : tensor<61xf32>
    %407 = stablehlo.divide %405, %iterArg_96 : tensor<61xf32>
    %408 = stablehlo.negate %iterArg_100 : tensor<61xf32>
    %409 = stablehlo.multiply %408, %397 : tensor<61xf32>
    %410 = stablehlo.multiply %iterArg_96, %iterArg_96 : tensor<61xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %412 = stablehlo.divide %411, %410 : tensor<61xf32>
    %413 = stablehlo.multiply %409, %412 : tensor<61xf32>
    %414 = stablehlo.add %407, %413 : tensor<61xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %415 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %416 = stablehlo.add %415, %406 : tensor<61xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %418 = stablehlo.compare EQ, %416, %417, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_111 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %419:2 = func.call @f32_rule._where_6(%418, %cst_111, %416, %414) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %420 = stablehlo.multiply %397, %iterArg_97 : tensor<61xf32>
    %421 = stablehlo.multiply %405, %iterArg_97 : tensor<61xf32>
    %422 = stablehlo.multiply %397, %iterArg_101 : tensor<61xf32>
    %423 = stablehlo.add %421, %422 : tensor<61xf32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %425 = stablehlo.add %424, %420 : tensor<61xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %427 = stablehlo.compare EQ, %425, %426, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_114 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %428:2 = func.call @f32_rule._where_6(%427, %cst_114, %425, %423) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %430 = stablehlo.divide %429, %428#0 : tensor<61xf32>
    %431 = stablehlo.negate %428#1 : tensor<61xf32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %433 = stablehlo.multiply %431, %432 : tensor<61xf32>
    %434 = stablehlo.multiply %428#0, %428#0 : tensor<61xf32>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %436 = stablehlo.divide %435, %434 : tensor<61xf32>
    %437 = stablehlo.multiply %433, %436 : tensor<61xf32>
    %438 = stablehlo.multiply %419#0, %430 : tensor<61xf32>
    %439 = stablehlo.multiply %419#1, %430 : tensor<61xf32>
    %440 = stablehlo.multiply %419#0, %437 : tensor<61xf32>
    %441 = stablehlo.add %439, %440 : tensor<61xf32>
    %442 = stablehlo.multiply %iterArg_98, %438 : tensor<61xf32>
    %443 = stablehlo.multiply %iterArg_102, %438 : tensor<61xf32>
    %444 = stablehlo.multiply %iterArg_98, %441 : tensor<61xf32>
    %445 = stablehlo.add %443, %444 : tensor<61xf32>
    %446 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %447 = stablehlo.add %iterArg, %446 : tensor<61xf32>
    %448 = stablehlo.negate %447 : tensor<61xf32>
    %449 = stablehlo.negate %iterArg_92 : tensor<61xf32>
    %450 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %451 = stablehlo.add %iterArg_92, %iterArg_93 : tensor<61xf32>
    %452 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %453 = stablehlo.add %450, %452 : tensor<61xf32>
    %454 = stablehlo.multiply %448, %453 : tensor<61xf32>
    %455 = stablehlo.multiply %449, %453 : tensor<61xf32>
    %456 = stablehlo.multiply %448, %451 : tensor<61xf32>
    %457 = stablehlo.add %455, %456 : tensor<61xf32>
    %458 = stablehlo.multiply %454, %iterArg_91 : tensor<61xf32>
    %459 = stablehlo.multiply %457, %iterArg_91 : tensor<61xf32>
    %460 = stablehlo.multiply %454, %iterArg_94 : tensor<61xf32>
    %461 = stablehlo.add %459, %460 : tensor<61xf32>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %463 = stablehlo.add %380, %462 : tensor<61xf32>
    %464 = stablehlo.multiply %380, %463 : tensor<61xf32>
    %465 = stablehlo.multiply %iterArg_92, %463 : tensor<61xf32>
    %466 = stablehlo.multiply %380, %iterArg_92 : tensor<61xf32>
    %467 = stablehlo.add %465, %466 : tensor<61xf32>
    %468 = stablehlo.divide %458, %464 : tensor<61xf32>
    %469 = stablehlo.divide %461, %464 : tensor<61xf32>
    %470 = stablehlo.negate %467 : tensor<61xf32>
    %471 = stablehlo.multiply %470, %458 : tensor<61xf32>
    %472 = stablehlo.multiply %464, %464 : tensor<61xf32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %474 = stablehlo.divide %473, %472 : tensor<61xf32>
    %475 = stablehlo.multiply %471, %474 : tensor<61xf32>
    %476 = stablehlo.add %469, %475 : tensor<61xf32>
    %477 = stablehlo.divide %468, %419#0 : tensor<61xf32>
    %478 = stablehlo.divide %476, %419#0 : tensor<61xf32>
    %479 = stablehlo.negate %419#1 : tensor<61xf32>
    %480 = stablehlo.multiply %479, %468 : tensor<61xf32>
    %481 = stablehlo.multiply %419#0, %419#0 : tensor<61xf32>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %483 = stablehlo.divide %482, %481 : tensor<61xf32>
    %484 = stablehlo.multiply %480, %483 : tensor<61xf32>
    %485 = stablehlo.add %478, %484 : tensor<61xf32>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %487 = stablehlo.add %486, %477 : tensor<61xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %489 = stablehlo.compare EQ, %487, %488, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_123 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %490:2 = func.call @f32_rule._where_6(%489, %cst_123, %487, %485) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %491 = stablehlo.multiply %468, %430 : tensor<61xf32>
    %492 = stablehlo.multiply %476, %430 : tensor<61xf32>
    %493 = stablehlo.multiply %468, %437 : tensor<61xf32>
    %494 = stablehlo.add %492, %493 : tensor<61xf32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %496 = stablehlo.add %495, %491 : tensor<61xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %498 = stablehlo.compare EQ, %496, %497, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_126 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %499:2 = func.call @f32_rule._where_6(%498, %cst_126, %496, %494) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %501 = stablehlo.divide %500, %499#0 : tensor<61xf32>
    %502 = stablehlo.negate %499#1 : tensor<61xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %504 = stablehlo.multiply %502, %503 : tensor<61xf32>
    %505 = stablehlo.multiply %499#0, %499#0 : tensor<61xf32>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %507 = stablehlo.divide %506, %505 : tensor<61xf32>
    %508 = stablehlo.multiply %504, %507 : tensor<61xf32>
    %509 = stablehlo.multiply %490#0, %501 : tensor<61xf32>
    %510 = stablehlo.multiply %490#1, %501 : tensor<61xf32>
    %511 = stablehlo.multiply %490#0, %508 : tensor<61xf32>
    %512 = stablehlo.add %510, %511 : tensor<61xf32>
    %513 = stablehlo.multiply %442, %509 : tensor<61xf32>
    %514 = stablehlo.multiply %445, %509 : tensor<61xf32>
    %515 = stablehlo.multiply %442, %512 : tensor<61xf32>
    %516 = stablehlo.add %514, %515 : tensor<61xf32>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %377, %490#0, %501, %513, %509, %490#1, %508, %516, %512 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %250 = stablehlo.divide %205, %207#0 : tensor<61xf32>
  %251 = stablehlo.divide %206, %207#0 : tensor<61xf32>
  %252 = stablehlo.negate %207#1 : tensor<61xf32>
  %253 = stablehlo.multiply %252, %205 : tensor<61xf32>
  %254 = stablehlo.multiply %207#0, %207#0 : tensor<61xf32>
  %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %255 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %256 = stablehlo.divide %255, %254 : tensor<61xf32>
  %257 = stablehlo.multiply %253, %256 : tensor<61xf32>
  %258 = stablehlo.add %251, %257 : tensor<61xf32>
  %259 = stablehlo.multiply %258, %249#9 : tensor<61xf32>
  %260 = stablehlo.multiply %250, %249#13 : tensor<61xf32>
  %261 = stablehlo.add %259, %260 : tensor<61xf32>
  %262 = stablehlo.negate %261 : tensor<61xf32>
  %263 = call @f32_rule._where_7(%169, %262, %261) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %c_65 = stablehlo.constant dense<0> : tensor<i32>
  %cst_66 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %264 = call @f32_rule._where_8(%27, %c_65, %cst_66) : (tensor<61xi1>, tensor<i32>, tensor<f32>) -> tensor<61xf32>
  %265 = call @f32_rule._where_9(%16, %263, %264) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %266 = stablehlo.multiply %arg3, %265 : tensor<61xf32>
  %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %267 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %268 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %269 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %270 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %271 = stablehlo.add %28, %270 : tensor<61xf32>
  %272 = stablehlo.add %28, %29 : tensor<61xf32>
  %cst_71 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %273 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %274 = stablehlo.add %272, %273 : tensor<61xf32>
  %275 = stablehlo.divide %271, %274 : tensor<61xf32>
  %276 = stablehlo.compare GT, %30, %275, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %277 = stablehlo.log %30 : tensor<61xf32>
  %278 = stablehlo.divide %269, %30 : tensor<61xf32>
  %279 = stablehlo.multiply %28, %277 : tensor<61xf32>
  %280 = stablehlo.multiply %267, %277 : tensor<61xf32>
  %281 = stablehlo.multiply %28, %278 : tensor<61xf32>
  %282 = stablehlo.add %280, %281 : tensor<61xf32>
  %283 = stablehlo.negate %30 : tensor<61xf32>
  %284 = stablehlo.negate %269 : tensor<61xf32>
  %285 = stablehlo.log_plus_one %283 : tensor<61xf32>
  %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %286 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %287 = stablehlo.add %283, %286 : tensor<61xf32>
  %288 = stablehlo.divide %284, %287 : tensor<61xf32>
  %289 = stablehlo.multiply %29, %285 : tensor<61xf32>
  %290 = stablehlo.multiply %268, %285 : tensor<61xf32>
  %291 = stablehlo.multiply %29, %288 : tensor<61xf32>
  %292 = stablehlo.add %290, %291 : tensor<61xf32>
  %293 = stablehlo.add %279, %289 : tensor<61xf32>
  %294 = stablehlo.add %282, %292 : tensor<61xf32>
  %295 = chlo.lgamma %28 : tensor<61xf32> -> tensor<61xf32>
  %296 = chlo.digamma %28 : tensor<61xf32> -> tensor<61xf32>
  %297 = stablehlo.multiply %267, %296 : tensor<61xf32>
  %298 = chlo.lgamma %29 : tensor<61xf32> -> tensor<61xf32>
  %299 = chlo.digamma %29 : tensor<61xf32> -> tensor<61xf32>
  %300 = stablehlo.multiply %268, %299 : tensor<61xf32>
  %301 = stablehlo.add %295, %298 : tensor<61xf32>
  %302 = stablehlo.add %297, %300 : tensor<61xf32>
  %303 = stablehlo.add %28, %29 : tensor<61xf32>
  %304 = stablehlo.add %267, %268 : tensor<61xf32>
  %305 = chlo.lgamma %303 : tensor<61xf32> -> tensor<61xf32>
  %306 = chlo.digamma %303 : tensor<61xf32> -> tensor<61xf32>
  %307 = stablehlo.multiply %304, %306 : tensor<61xf32>
  %308 = stablehlo.subtract %301, %305 : tensor<61xf32>
  %309 = stablehlo.subtract %302, %307 : tensor<61xf32>
  %310 = stablehlo.subtract %293, %308 : tensor<61xf32>
  %311 = stablehlo.subtract %294, %309 : tensor<61xf32>
  %312 = stablehlo.exponential %310 : tensor<61xf32>
  %313 = stablehlo.multiply %311, %312 : tensor<61xf32>
  %314:2 = call @f32_rule._where_4(%276, %29, %28, %268, %267) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %315:2 = call @f32_rule._where_4(%276, %28, %29, %267, %268) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %316 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %317 = stablehlo.subtract %316, %30 : tensor<61xf32>
  %318 = stablehlo.negate %269 : tensor<61xf32>
  %319:2 = call @f32_rule._where_4(%276, %317, %30, %318, %269) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %320 = stablehlo.add %314#0, %315#0 : tensor<61xf32>
  %321 = stablehlo.add %314#1, %315#1 : tensor<61xf32>
  %322 = stablehlo.multiply %320, %319#0 : tensor<61xf32>
  %323 = stablehlo.multiply %321, %319#0 : tensor<61xf32>
  %324 = stablehlo.multiply %320, %319#1 : tensor<61xf32>
  %325 = stablehlo.add %323, %324 : tensor<61xf32>
  %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %326 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %327 = stablehlo.add %314#0, %326 : tensor<61xf32>
  %328 = stablehlo.divide %322, %327 : tensor<61xf32>
  %329 = stablehlo.divide %325, %327 : tensor<61xf32>
  %330 = stablehlo.negate %314#1 : tensor<61xf32>
  %331 = stablehlo.multiply %330, %322 : tensor<61xf32>
  %332 = stablehlo.multiply %327, %327 : tensor<61xf32>
  %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %333 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %334 = stablehlo.divide %333, %332 : tensor<61xf32>
  %335 = stablehlo.multiply %331, %334 : tensor<61xf32>
  %336 = stablehlo.add %329, %335 : tensor<61xf32>
  %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %337 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %338 = stablehlo.subtract %337, %328 : tensor<61xf32>
  %339 = stablehlo.negate %336 : tensor<61xf32>
  %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %340 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %341 = stablehlo.compare EQ, %338, %340, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_78 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
  %342:2 = call @f32_rule._where_5(%341, %cst_78, %338, %339) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %343 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %344 = stablehlo.divide %343, %342#0 : tensor<61xf32>
  %345 = stablehlo.negate %342#1 : tensor<61xf32>
  %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %346 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %347 = stablehlo.multiply %345, %346 : tensor<61xf32>
  %348 = stablehlo.multiply %342#0, %342#0 : tensor<61xf32>
  %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %349 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %350 = stablehlo.divide %349, %348 : tensor<61xf32>
  %351 = stablehlo.multiply %347, %350 : tensor<61xf32>
  %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %352 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_83 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %353 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %354 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %355 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %356:15 = stablehlo.while(%iterArg = %314#0, %iterArg_90 = %315#0, %iterArg_91 = %319#0, %iterArg_92 = %314#1, %iterArg_93 = %315#1, %iterArg_94 = %319#1, %iterArg_95 = %cst_86, %iterArg_96 = %352, %iterArg_97 = %344, %iterArg_98 = %344, %iterArg_99 = %353, %iterArg_100 = %354, %iterArg_101 = %351, %iterArg_102 = %351, %iterArg_103 = %355) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %378 = stablehlo.subtract %iterArg_99, %377 : tensor<61xf32>
    %379 = stablehlo.abs %378 : tensor<61xf32>
    %cst_105 = stablehlo.constant dense<4.76837158E-7> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %381 = stablehlo.compare GT, %379, %380, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_106 = stablehlo.constant dense<false> : tensor<i1>
    %382 = stablehlo.reduce(%381 init: %c_106) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %cst_107 = stablehlo.constant dense<3.000000e+04> : tensor<f32>
    %383 = stablehlo.compare LT, %iterArg_95, %cst_107, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %384 = stablehlo.and %382, %383 : tensor<i1>
    stablehlo.return %384 : tensor<i1>
  } do {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.add %iterArg_95, %cst_104 : tensor<f32>
    %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %378 = stablehlo.multiply %cst_105, %377 : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %380 = stablehlo.add %iterArg, %379 : tensor<61xf32>
    %381 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %382 = stablehlo.subtract %iterArg_90, %381 : tensor<61xf32>
    %383 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %384 = stablehlo.multiply %383, %382 : tensor<61xf32>
    %385 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %386 = stablehlo.multiply %385, %iterArg_93 : tensor<61xf32>
    %387 = stablehlo.multiply %384, %iterArg_91 : tensor<61xf32>
    %388 = stablehlo.multiply %386, %iterArg_91 : tensor<61xf32>
    %389 = stablehlo.multiply %384, %iterArg_94 : tensor<61xf32>
    %390 = stablehlo.add %388, %389 : tensor<61xf32>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %392 = stablehlo.subtract %380, %391 : tensor<61xf32>
    %393 = stablehlo.multiply %392, %380 : tensor<61xf32>
    %394 = stablehlo.multiply %iterArg_92, %380 : tensor<61xf32>
    %395 = stablehlo.multiply %392, %iterArg_92 : tensor<61xf32>
    %396 = stablehlo.add %394, %395 : tensor<61xf32>
    %397 = stablehlo.divide %387, %393 : tensor<61xf32>
    %398 = stablehlo.divide %390, %393 : tensor<61xf32>
    %399 = stablehlo.negate %396 : tensor<61xf32>
    %400 = stablehlo.multiply %399, %387 : tensor<61xf32>
    %401 = stablehlo.multiply %393, %393 : tensor<61xf32>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %402 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %403 = stablehlo.divide %402, %401 : tensor<61xf32>
    %404 = stablehlo.multiply %400, %403 : tensor<61xf32>
    %405 = stablehlo.add %398, %404 : tensor<61xf32>
    %406 = stablehlo.divide %397, %iterArg_96 : tensor<61xf32>
    %407 = stablehlo.divide %405, %iterArg_96 : tensor<61xf32>
    %408 = stablehlo.negate %iterArg_100 : tensor<61xf32>
    %409 = stablehlo.multiply %408, %397 : tensor<61xf32>
    %410 = stablehlo.multiply %iterArg_96, %iterArg_96 : tensor<61xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %412 = stablehlo.divide %411, %410 : tensor<61xf32>
    %413 = stablehlo.multiply %409, %412 : tensor<61xf32>
    %414 = stablehlo.add %407, %413 : tensor<61xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %415 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %416 = stablehlo.add %415, %406 : tensor<61xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %418 = stablehlo.compare EQ, %416, %417, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_111 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %419:2 = func.call @f32_rule._where_6(%418, %cst_111, %416, %414) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %420 = stablehlo.multiply %397, %iterArg_97 : tensor<61xf32>
    %421 = stablehlo.multiply %405, %iterArg_97 : tensor<61xf32>
    %422 = stablehlo.multiply %397, %iterArg_101 : tensor<61xf32>
    %423 = stablehlo.add %421, %422 : tensor<61xf32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %425 = stablehlo.add %424, %420 : tensor<61xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %427 = stablehlo.compare EQ, %425, %426, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_114 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %428:2 = func.call @f32_rule._where_6(%427, %cst_114, %425, %423) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %430 = stablehlo.divide %429, %428#0 : tensor<61xf32>
    %431 = stablehlo.negate %428#1 : tensor<61xf32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %433 = stablehlo.multiply %431, %432 : tensor<61xf32>
    %434 = stablehlo.multiply %428#0, %428#0 : tensor<61xf32>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %436 = stablehlo.divide %435, %434 : tensor<61xf32>
    %437 = stablehlo.multiply %433, %436 : tensor<61xf32>
    %438 = stablehlo.multiply %419#0, %430 : tensor<61xf32>
    %439 = stablehlo.multiply %419#1, %430 : tensor<61xf32>
    %440 = stablehlo.multiply %419#0, %437 : tensor<61xf32>
    %441 = stablehlo.add %439, %440 : tensor<61xf32>
    %442 = stablehlo.multiply %iterArg_98, %438 : tensor<61xf32>
    %443 = stablehlo.multiply %iterArg_102, %438 : tensor<61xf32>
    %444 = stablehlo.multiply %iterArg_98, %441 : tensor<61xf32>
    %445 = stablehlo.add %443, %444 : tensor<61xf32>
    %446 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %447 = stablehlo.add %iterArg, %446 : tensor<61xf32>
    %448 = stablehlo.negate %447 : tensor<61xf32>
    %449 = stablehlo.negate %iterArg_92 : tensor<61xf32>
    %450 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %451 = stablehlo.add %iterArg_92, %iterArg_93 : tensor<61xf32>
    %452 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %453 = stablehlo.add %450, %452 : tensor<61xf32>
    %454 = stablehlo.multiply %448, %453 : tensor<61xf32>
    %455 = stablehlo.multiply %449, %453 : tensor<61xf32>
    %456 = stablehlo.multiply %448, %451 : tensor<61xf32>
    %457 = stablehlo.add %455, %456 : tensor<61xf32>
    %458 = stablehlo.multiply %454, %iterArg_91 : tensor<61xf32>
    %459 = stablehlo.multiply %457, %iterArg_91 : tensor<61xf32>
    %460 = stablehlo.multiply %454, %iterArg_94 : tensor<61xf32>
    %461 = stablehlo.add %459, %460 : tensor<61xf32>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %463 = stablehlo.add %380, %462 : tensor<61xf32>
    %464 = stablehlo.multiply %380, %463 : tensor<61xf32>
    %465 = stablehlo.multiply %iterArg_92, %463 : tensor<61xf32>
    %466 = stablehlo.multiply %380, %iterArg_92 : tensor<61xf32>
    %467 = stablehlo.add %465, %466 : tensor<61xf32>
    %468 = stablehlo.divide %458, %464 : tensor<61xf32>
    %469 = stablehlo.divide %461, %464 : tensor<61xf32>
    %470 = stablehlo.negate %467 : tensor<61xf32>
    %471 = stablehlo.multiply %470, %458 : tensor<61xf32>
    %472 = stablehlo.multiply %464, %464 : tensor<61xf32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %474 = stablehlo.divide %473, %472 : tensor<61xf32>
    %475 = stablehlo.multiply %471, %474 : tensor<61xf32>
    %476 = stablehlo.add %469, %475 : tensor<61xf32>
    %477 = stablehlo.divide %468, %419#0 : tensor<61xf32>
    %478 = stablehlo.divide %476, %419#0 : tensor<61xf32>
    %479 = stablehlo.negate %419#1 : tensor<61xf32>
    %480 = stablehlo.multiply %479, %468 : tensor<61xf32>
    %481 = stablehlo.multiply %419#0, %419#0 : tensor<61xf32>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %483 = stablehlo.divide %482, %481 : tensor<61xf32>
    %484 = stablehlo.multiply %480, %483 : tensor<61xf32>
    %485 = stablehlo.add %478, %484 : tensor<61xf32>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %487 = stablehlo.add %486, %477 : tensor<61xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %489 = stablehlo.compare EQ, %487, %488, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_123 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %490:2 = func.call @f32_rule._where_6(%489, %cst_123, %487, %485) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %491 = stablehlo.multiply %468, %430 : tensor<61xf32>
    %492 = stablehlo.multiply %476, %430 : tensor<61xf32>
    %493 = stablehlo.multiply %468, %437 : tensor<61xf32>
    %494 = stablehlo.add %492, %493 : tensor<61xf32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %496 = stablehlo.add %495, %491 : tensor<61xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %498 = stablehlo.compare EQ, %496, %497, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_126 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %499:2 = func.call @f32_rule._where_6(%498, %cst_126, %496, %494) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %501 = stablehlo.divide %500, %499#0 : tensor<61xf32>
    %502 = stablehlo.negate %499#1 : tensor<61xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %504 = stablehlo.multiply %502, %503 : tensor<61xf32>
    %505 = stablehlo.multiply %499#0, %499#0 : tensor<61xf32>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %507 = stablehlo.divide %506, %505 : tensor<61xf32>
    %508 = stablehlo.multiply %504, %507 : tensor<61xf32>
    %509 = stablehlo.multiply %490#0, %501 : tensor<61xf32>
    %510 = stablehlo.multiply %490#1, %501 : tensor<61xf32>
    %511 = stablehlo.multiply %490#0, %508 : tensor<61xf32>
    %512 = stablehlo.add %510, %511 : tensor<61xf32>
    %513 = stablehlo.multiply %442, %509 : tensor<61xf32>
    %514 = stablehlo.multiply %445, %509 : tensor<61xf32>
    %515 = stablehlo.multiply %442, %512 : tensor<61xf32>
    %516 = stablehlo.add %514, %515 : tensor<61xf32>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %377, %490#0, %501, %513, %509, %490#1, %508, %516, %512 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %357 = stablehlo.divide %312, %314#0 : tensor<61xf32>
  %358 = stablehlo.divide %313, %314#0 : tensor<61xf32>
  %359 = stablehlo.negate %314#1 : tensor<61xf32>
  %360 = stablehlo.multiply %359, %312 : tensor<61xf32>
  %361 = stablehlo.multiply %314#0, %314#0 : tensor<61xf32>
  %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %362 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %363 = stablehlo.divide %362, %361 : tensor<61xf32>
  %364 = stablehlo.multiply %360, %363 : tensor<61xf32>
  %365 = stablehlo.add %358, %364 : tensor<61xf32>
  %366 = stablehlo.multiply %365, %356#9 : tensor<61xf32>
  %367 = stablehlo.multiply %357, %356#13 : tensor<61xf32>
  %368 = stablehlo.add %366, %367 : tensor<61xf32>
  %369 = stablehlo.negate %368 : tensor<61xf32>
  %370 = call @f32_rule._where_7(%276, %369, %368) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %c_88 = stablehlo.constant dense<0> : tensor<i32>
  %cst_89 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %371 = call @f32_rule._where_8(%27, %c_88, %cst_89) : (tensor<61xi1>, tensor<i32>, tensor<f32>) -> tensor<61xf32>
  %372 = call @f32_rule._where_9(%16, %370, %371) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %373 = stablehlo.multiply %arg4, %372 : tensor<61xf32>
  %374 = stablehlo.add %266, %373 : tensor<61xf32>
  %375 = stablehlo.multiply %arg5, %60 : tensor<61xf32>
  %376 = stablehlo.add %374, %375 : tensor<61xf32>
  return %159, %376 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<i32>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<61xi1>, tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32_rule._where_0(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg2 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<61xi1>, tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32_rule._where_1(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32_rule.remainder(%arg0: tensor<61xi32>, %arg1: tensor<61xi32>) -> tensor<61xi32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %3 = call @f32_rule._where_2(%1, %2, %arg1) : (tensor<61xi1>, tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
  %4 = stablehlo.remainder %arg0, %3 : tensor<61xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.and %11, %6 : tensor<61xi1>
  %13 = stablehlo.add %4, %3 : tensor<61xi32>
  %14 = stablehlo.select %12, %13, %4 : tensor<61xi1>, tensor<61xi32>
  return %14 : tensor<61xi32>
}
func.func private @f32_rule._where_2(%arg0: tensor<61xi1>, %arg1: tensor<61xi32>, %arg2: tensor<61xi32>) -> tensor<61xi32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi32>
  return %0 : tensor<61xi32>
}
func.func private @f32_rule.floor_divide(%arg0: tensor<61xi32>, %arg1: tensor<61xi32>) -> tensor<61xi32> {
  %0 = stablehlo.divide %arg0, %arg1 : tensor<61xi32>
  %1 = stablehlo.sign %arg0 : tensor<61xi32>
  %2 = stablehlo.sign %arg1 : tensor<61xi32>
  %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %4 = stablehlo.remainder %arg0, %arg1 : tensor<61xi32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi32>, tensor<61xi32>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %9 = stablehlo.convert %8 : tensor<61xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<i1>
  %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.convert %11 : tensor<61xi1>
  %13 = stablehlo.and %9, %12 : tensor<61xi1>
  %c_2 = stablehlo.constant dense<1> : tensor<i32>
  %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %15 = stablehlo.subtract %0, %14 : tensor<61xi32>
  %16 = call @f32_rule._where_3(%13, %15, %0) : (tensor<61xi1>, tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
  return %16 : tensor<61xi32>
}
func.func private @f32_rule._where_3(%arg0: tensor<61xi1>, %arg1: tensor<61xi32>, %arg2: tensor<61xi32>) -> tensor<61xi32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi32>
  return %0 : tensor<61xi32>
}
func.func private @f32_rule._where_4(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>, %arg4: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  %1 = stablehlo.select %arg0, %arg3, %arg4 : tensor<61xi1>, tensor<61xf32>
  return %0, %1 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule._where_5(%arg0: tensor<61xi1>, %arg1: tensor<f32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.select %arg0, %3, %arg3 : tensor<61xi1>, tensor<61xf32>
  return %2, %4 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule._where_6(%arg0: tensor<61xi1>, %arg1: tensor<f32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.select %arg0, %3, %arg3 : tensor<61xi1>, tensor<61xf32>
  return %2, %4 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule._where_7(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32_rule._where_8(%arg0: tensor<61xi1>, %arg1: tensor<i32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.select %arg0, %1, %2 : tensor<61xi1>, tensor<61xf32>
  return %3 : tensor<61xf32>
}
func.func private @f32_rule._where_9(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg2 : tensor<61xf32>
  %1 = stablehlo.select %arg0, %arg1, %0 : tensor<61xi1>, tensor<61xf32>
  return %1 : tensor<61xf32>
}
func.func public @f32_x64(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> (tensor<61xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare EQ, %arg1, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.or %1, %3 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare EQ, %arg1, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.compare EQ, %arg0, %7, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %9 = stablehlo.or %6, %8 : tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.compare EQ, %arg2, %10, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %13 = stablehlo.compare EQ, %arg2, %12, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %14 = stablehlo.not %11 : tensor<61xi1>
  %15 = stablehlo.not %13 : tensor<61xi1>
  %16 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %17 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %18 = stablehlo.or %16, %17 : tensor<61xi1>
  %19 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %20 = stablehlo.or %18, %19 : tensor<61xi1>
  %21 = stablehlo.and %9, %15 : tensor<61xi1>
  %22 = stablehlo.and %4, %11 : tensor<61xi1>
  %23 = stablehlo.or %21, %22 : tensor<61xi1>
  %24 = stablehlo.and %4, %14 : tensor<61xi1>
  %25 = stablehlo.and %9, %13 : tensor<61xi1>
  %26 = stablehlo.or %24, %25 : tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %28 = stablehlo.compare LT, %arg0, %27, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.compare LT, %arg1, %29, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %31 = stablehlo.or %28, %30 : tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %33 = stablehlo.compare LT, %arg2, %32, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %34 = stablehlo.or %31, %33 : tensor<61xi1>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %36 = stablehlo.compare GT, %arg2, %35, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %37 = stablehlo.or %34, %36 : tensor<61xi1>
  %38 = stablehlo.and %4, %9 : tensor<61xi1>
  %39 = stablehlo.or %38, %20 : tensor<61xi1>
  %40 = stablehlo.or %37, %39 : tensor<61xi1>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %42 = stablehlo.add %arg0, %41 : tensor<61xf32>
  %43 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %45 = stablehlo.add %43, %44 : tensor<61xf32>
  %46 = stablehlo.divide %42, %45 : tensor<61xf32>
  %47 = stablehlo.compare LT, %arg2, %46, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %48 = stablehlo.select %47, %arg0, %arg1 : tensor<61xi1>, tensor<61xf32>
  %49 = stablehlo.select %47, %arg1, %arg0 : tensor<61xi1>, tensor<61xf32>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %51 = stablehlo.subtract %50, %arg2 : tensor<61xf32>
  %52 = stablehlo.select %47, %arg2, %51 : tensor<61xi1>, tensor<61xf32>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %53 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %c_12 = stablehlo.constant dense<0> : tensor<i64>
  %54 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %55 = stablehlo.compare EQ, %53, %54, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %57 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %58 = stablehlo.select %55, %56, %57 : tensor<61xi1>, tensor<61xf32>
  %59 = stablehlo.abs %58 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %61 = stablehlo.compare LT, %59, %60, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_16 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %62 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %63 = stablehlo.select %61, %62, %58 : tensor<61xi1>, tensor<61xf32>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %c_18 = stablehlo.constant dense<1> : tensor<i64>
  %c_19 = stablehlo.constant dense<true> : tensor<i1>
  %65:8 = stablehlo.while(%iterArg = %48, %iterArg_25 = %49, %iterArg_26 = %52, %iterArg_27 = %c_18, %iterArg_28 = %c_19, %iterArg_29 = %63, %iterArg_30 = %64, %iterArg_31 = %63) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i64>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c_32 = stablehlo.constant dense<200> : tensor<i64>
    %99 = stablehlo.compare LT, %iterArg_27, %c_32, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %100 = stablehlo.and %99, %iterArg_28 : tensor<i1>
    stablehlo.return %100 : tensor<i1>
  } do {
    %99 = stablehlo.broadcast_in_dim %iterArg_27, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_32 = stablehlo.constant dense<2> : tensor<i64>
    %100 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %101 = func.call @f32_x64.remainder(%99, %100) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_33 = stablehlo.constant dense<0> : tensor<i64>
    %102 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %103 = stablehlo.compare EQ, %101, %102, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_34 = stablehlo.constant dense<1> : tensor<i64>
    %104 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %105 = stablehlo.compare EQ, %99, %104, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_35 = stablehlo.constant dense<1> : tensor<i64>
    %106 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %107 = stablehlo.subtract %99, %106 : tensor<61xi64>
    %c_36 = stablehlo.constant dense<2> : tensor<i64>
    %108 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %109 = func.call @f32_x64.floor_divide(%107, %108) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_37 = stablehlo.constant dense<0> : tensor<i64>
    %110 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %111 = stablehlo.compare EQ, %109, %110, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %112 = stablehlo.convert %109 : (tensor<61xi64>) -> tensor<61xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %115 = stablehlo.add %iterArg, %iterArg_25 : tensor<61xf32>
    %116 = stablehlo.negate %115 : tensor<61xf32>
    %117 = stablehlo.multiply %116, %iterArg_26 : tensor<61xf32>
    %118 = stablehlo.add %iterArg, %113 : tensor<61xf32>
    %119 = stablehlo.divide %117, %118 : tensor<61xf32>
    %120 = stablehlo.add %iterArg, %112 : tensor<61xf32>
    %121 = stablehlo.negate %120 : tensor<61xf32>
    %122 = stablehlo.add %iterArg, %iterArg_25 : tensor<61xf32>
    %123 = stablehlo.add %122, %112 : tensor<61xf32>
    %124 = stablehlo.multiply %121, %123 : tensor<61xf32>
    %125 = stablehlo.multiply %124, %iterArg_26 : tensor<61xf32>
    %126 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %127 = stablehlo.add %iterArg, %126 : tensor<61xf32>
    %128 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %129 = stablehlo.add %iterArg, %128 : tensor<61xf32>
    %130 = stablehlo.add %129, %113 : tensor<61xf32>
    %131 = stablehlo.multiply %127, %130 : tensor<61xf32>
    %132 = stablehlo.divide %125, %131 : tensor<61xf32>
    %133 = stablehlo.select %111, %119, %132 : tensor<61xi1>, tensor<61xf32>
    %134 = stablehlo.subtract %iterArg_25, %112 : tensor<61xf32>
    %135 = stablehlo.multiply %112, %134 : tensor<61xf32>
    %136 = stablehlo.multiply %135, %iterArg_26 : tensor<61xf32>
    %137 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %138 = stablehlo.add %iterArg, %137 : tensor<61xf32>
    %139 = stablehlo.subtract %138, %113 : tensor<61xf32>
    %140 = stablehlo.multiply %114, %112 : tensor<61xf32>
    %141 = stablehlo.add %iterArg, %140 : tensor<61xf32>
    %142 = stablehlo.multiply %139, %141 : tensor<61xf32>
    %143 = stablehlo.divide %136, %142 : tensor<61xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %145 = stablehlo.select %103, %133, %143 : tensor<61xi1>, tensor<61xf32>
    %146 = stablehlo.select %105, %144, %145 : tensor<61xi1>, tensor<61xf32>
    %147 = stablehlo.broadcast_in_dim %iterArg_27, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_41 = stablehlo.constant dense<0> : tensor<i64>
    %148 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %149 = stablehlo.compare EQ, %147, %148, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %152 = stablehlo.select %149, %150, %151 : tensor<61xi1>, tensor<61xf32>
    %153 = stablehlo.divide %146, %iterArg_29 : tensor<61xf32>
    %154 = stablehlo.add %152, %153 : tensor<61xf32>
    %cst_44 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %156 = stablehlo.abs %154 : tensor<61xf32>
    %157 = stablehlo.compare LT, %156, %155, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %158 = stablehlo.select %157, %155, %154 : tensor<61xi1>, tensor<61xf32>
    %159 = stablehlo.multiply %146, %iterArg_30 : tensor<61xf32>
    %160 = stablehlo.add %152, %159 : tensor<61xf32>
    %161 = stablehlo.abs %160 : tensor<61xf32>
    %162 = stablehlo.compare LT, %161, %155, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %163 = stablehlo.select %162, %155, %160 : tensor<61xi1>, tensor<61xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %165 = stablehlo.divide %164, %163 : tensor<61xf32>
    %166 = stablehlo.multiply %158, %165 : tensor<61xf32>
    %167 = stablehlo.multiply %iterArg_31, %166 : tensor<61xf32>
    %c_46 = stablehlo.constant dense<1> : tensor<i64>
    %168 = stablehlo.add %iterArg_27, %c_46 : tensor<i64>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %170 = stablehlo.subtract %166, %169 : tensor<61xf32>
    %171 = stablehlo.abs %170 : tensor<61xf32>
    %cst_48 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %173 = stablehlo.compare GE, %171, %172, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_49 = stablehlo.constant dense<false> : tensor<i1>
    %174 = stablehlo.reduce(%173 init: %c_49) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %iterArg, %iterArg_25, %iterArg_26, %168, %174, %158, %165, %167 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i64>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %66 = chlo.lgamma %49 : tensor<61xf32> -> tensor<61xf32>
  %67 = stablehlo.add %48, %49 : tensor<61xf32>
  %68 = chlo.lgamma %67 : tensor<61xf32> -> tensor<61xf32>
  %69 = stablehlo.subtract %66, %68 : tensor<61xf32>
  %70 = chlo.lgamma %48 : tensor<61xf32> -> tensor<61xf32>
  %71 = stablehlo.add %70, %69 : tensor<61xf32>
  %cst_20 = stablehlo.constant dense<2.3509887E-38> : tensor<f32>
  %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %73 = stablehlo.compare LT, %48, %72, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %74 = stablehlo.negate %52 : tensor<61xf32>
  %75 = stablehlo.log_plus_one %74 : tensor<61xf32>
  %76 = stablehlo.multiply %75, %49 : tensor<61xf32>
  %77 = stablehlo.subtract %76, %69 : tensor<61xf32>
  %78 = stablehlo.exponential %77 : tensor<61xf32>
  %79 = stablehlo.log %52 : tensor<61xf32>
  %80 = stablehlo.multiply %79, %48 : tensor<61xf32>
  %81 = stablehlo.negate %52 : tensor<61xf32>
  %82 = stablehlo.log_plus_one %81 : tensor<61xf32>
  %83 = stablehlo.multiply %82, %49 : tensor<61xf32>
  %84 = stablehlo.add %80, %83 : tensor<61xf32>
  %85 = stablehlo.subtract %84, %71 : tensor<61xf32>
  %86 = stablehlo.exponential %85 : tensor<61xf32>
  %87 = stablehlo.divide %86, %48 : tensor<61xf32>
  %88 = stablehlo.select %73, %78, %87 : tensor<61xi1>, tensor<61xf32>
  %89 = stablehlo.multiply %65#7, %88 : tensor<61xf32>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %90 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %91 = stablehlo.subtract %90, %89 : tensor<61xf32>
  %92 = stablehlo.select %47, %89, %91 : tensor<61xi1>, tensor<61xf32>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %93 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %94 = stablehlo.select %23, %93, %92 : tensor<61xi1>, tensor<61xf32>
  %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %95 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %96 = stablehlo.select %26, %95, %94 : tensor<61xi1>, tensor<61xf32>
  %cst_24 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %97 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %98 = stablehlo.select %40, %97, %96 : tensor<61xi1>, tensor<61xf32>
  return %98 : tensor<61xf32>
}
func.func private @f32_x64.remainder(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %c = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %3 = call @f32_x64._where(%1, %2, %arg1) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  %4 = stablehlo.remainder %arg0, %3 : tensor<61xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i64>
  %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_3 = stablehlo.constant dense<0> : tensor<i64>
  %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.and %11, %6 : tensor<61xi1>
  %13 = stablehlo.add %4, %3 : tensor<61xi64>
  %14 = stablehlo.select %12, %13, %4 : tensor<61xi1>, tensor<61xi64>
  return %14 : tensor<61xi64>
}
func.func private @f32_x64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func private @f32_x64.floor_divide(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.divide %arg0, %arg1 : tensor<61xi64>
  %1 = stablehlo.sign %arg0 : tensor<61xi64>
  %2 = stablehlo.sign %arg1 : tensor<61xi64>
  %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %4 = stablehlo.remainder %arg0, %arg1 : tensor<61xi64>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %9 = stablehlo.convert %8 : tensor<61xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<i1>
  %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.convert %11 : tensor<61xi1>
  %13 = stablehlo.and %9, %12 : tensor<61xi1>
  %c_2 = stablehlo.constant dense<1> : tensor<i64>
  %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %15 = stablehlo.subtract %0, %14 : tensor<61xi64>
  %16 = call @f32_x64._where_0(%13, %15, %0) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  return %16 : tensor<61xi64>
}
func.func private @f32_x64._where_0(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func public @f32_x64_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>, %arg4: tensor<61xf32>, %arg5: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare GT, %arg1, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.and %1, %3 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare LT, %arg0, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %7 = stablehlo.and %4, %6 : tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.compare LT, %arg1, %8, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %10 = stablehlo.and %7, %9 : tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.compare GT, %arg2, %11, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %13 = stablehlo.and %10, %12 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.compare LT, %arg2, %14, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %16 = stablehlo.and %13, %15 : tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.compare GT, %arg0, %17, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %20 = stablehlo.compare GT, %arg1, %19, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %21 = stablehlo.and %18, %20 : tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %23 = stablehlo.compare EQ, %arg2, %22, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %25 = stablehlo.compare EQ, %arg2, %24, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %26 = stablehlo.or %23, %25 : tensor<61xi1>
  %27 = stablehlo.and %21, %26 : tensor<61xi1>
  %c = stablehlo.constant dense<1> : tensor<i64>
  %28 = call @f32_x64_rule._where(%16, %arg0, %c) : (tensor<61xi1>, tensor<61xf32>, tensor<i64>) -> tensor<61xf32>
  %c_9 = stablehlo.constant dense<1> : tensor<i64>
  %29 = call @f32_x64_rule._where(%16, %arg1, %c_9) : (tensor<61xi1>, tensor<61xf32>, tensor<i64>) -> tensor<61xf32>
  %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %30 = call @f32_x64_rule._where_0(%16, %arg2, %cst_10) : (tensor<61xi1>, tensor<61xf32>, tensor<f64>) -> tensor<61xf32>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %31 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %32 = stablehlo.subtract %arg0, %31 : tensor<61xf32>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %33 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %34 = stablehlo.compare NE, %32, %33, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %35 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %36 = stablehlo.or %34, %35 : tensor<61xi1>
  %37 = stablehlo.log %arg2 : tensor<61xf32>
  %38 = stablehlo.multiply %32, %37 : tensor<61xf32>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40 = call @f32_x64_rule._where_1(%36, %38, %39) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %42 = stablehlo.subtract %arg1, %41 : tensor<61xf32>
  %43 = stablehlo.negate %arg2 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %44 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %45 = stablehlo.compare NE, %42, %44, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %46 = stablehlo.compare NE, %43, %43, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %47 = stablehlo.or %45, %46 : tensor<61xi1>
  %48 = stablehlo.log_plus_one %43 : tensor<61xf32>
  %49 = stablehlo.multiply %42, %48 : tensor<61xf32>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %51 = call @f32_x64_rule._where_1(%47, %49, %50) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %52 = stablehlo.add %40, %51 : tensor<61xf32>
  %53 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %54 = chlo.lgamma %arg1 : tensor<61xf32> -> tensor<61xf32>
  %55 = stablehlo.add %53, %54 : tensor<61xf32>
  %56 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %57 = chlo.lgamma %56 : tensor<61xf32> -> tensor<61xf32>
  %58 = stablehlo.subtract %55, %57 : tensor<61xf32>
  %59 = stablehlo.subtract %52, %58 : tensor<61xf32>
  %60 = stablehlo.exponential %59 : tensor<61xf32>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %62 = stablehlo.compare EQ, %arg0, %61, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_18 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %64 = stablehlo.compare EQ, %arg1, %63, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %65 = stablehlo.or %62, %64 : tensor<61xi1>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %67 = stablehlo.compare EQ, %arg1, %66, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_20 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %69 = stablehlo.compare EQ, %arg0, %68, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %70 = stablehlo.or %67, %69 : tensor<61xi1>
  %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %72 = stablehlo.compare EQ, %arg2, %71, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %74 = stablehlo.compare EQ, %arg2, %73, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %75 = stablehlo.not %72 : tensor<61xi1>
  %76 = stablehlo.not %74 : tensor<61xi1>
  %77 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %78 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %79 = stablehlo.or %77, %78 : tensor<61xi1>
  %80 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %81 = stablehlo.or %79, %80 : tensor<61xi1>
  %82 = stablehlo.and %70, %76 : tensor<61xi1>
  %83 = stablehlo.and %65, %72 : tensor<61xi1>
  %84 = stablehlo.or %82, %83 : tensor<61xi1>
  %85 = stablehlo.and %65, %75 : tensor<61xi1>
  %86 = stablehlo.and %70, %74 : tensor<61xi1>
  %87 = stablehlo.or %85, %86 : tensor<61xi1>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %88 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %89 = stablehlo.compare LT, %arg0, %88, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %91 = stablehlo.compare LT, %arg1, %90, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %92 = stablehlo.or %89, %91 : tensor<61xi1>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %93 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %94 = stablehlo.compare LT, %arg2, %93, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %95 = stablehlo.or %92, %94 : tensor<61xi1>
  %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %97 = stablehlo.compare GT, %arg2, %96, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %98 = stablehlo.or %95, %97 : tensor<61xi1>
  %99 = stablehlo.and %65, %70 : tensor<61xi1>
  %100 = stablehlo.or %99, %81 : tensor<61xi1>
  %101 = stablehlo.or %98, %100 : tensor<61xi1>
  %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %103 = stablehlo.add %arg0, %102 : tensor<61xf32>
  %104 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %106 = stablehlo.add %104, %105 : tensor<61xf32>
  %107 = stablehlo.divide %103, %106 : tensor<61xf32>
  %108 = stablehlo.compare LT, %arg2, %107, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %109 = stablehlo.select %108, %arg0, %arg1 : tensor<61xi1>, tensor<61xf32>
  %110 = stablehlo.select %108, %arg1, %arg0 : tensor<61xi1>, tensor<61xf32>
  %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %111 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %112 = stablehlo.subtract %111, %arg2 : tensor<61xf32>
  %113 = stablehlo.select %108, %arg2, %112 : tensor<61xi1>, tensor<61xf32>
  %c_30 = stablehlo.constant dense<0> : tensor<i64>
  %114 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %c_31 = stablehlo.constant dense<0> : tensor<i64>
  %115 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %116 = stablehlo.compare EQ, %114, %115, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %117 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %118 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %119 = stablehlo.select %116, %117, %118 : tensor<61xi1>, tensor<61xf32>
  %120 = stablehlo.abs %119 : tensor<61xf32>
  %cst_34 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %121 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %122 = stablehlo.compare LT, %120, %121, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_35 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
  %123 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %124 = stablehlo.select %122, %123, %119 : tensor<61xi1>, tensor<61xf32>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %125 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %c_37 = stablehlo.constant dense<1> : tensor<i64>
  %c_38 = stablehlo.constant dense<true> : tensor<i1>
  %126:8 = stablehlo.while(%iterArg = %109, %iterArg_90 = %110, %iterArg_91 = %113, %iterArg_92 = %c_37, %iterArg_93 = %c_38, %iterArg_94 = %124, %iterArg_95 = %125, %iterArg_96 = %124) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i64>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c_97 = stablehlo.constant dense<200> : tensor<i64>
    %377 = stablehlo.compare LT, %iterArg_92, %c_97, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %378 = stablehlo.and %377, %iterArg_93 : tensor<i1>
    stablehlo.return %378 : tensor<i1>
  } do {
    %377 = stablehlo.broadcast_in_dim %iterArg_92, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_97 = stablehlo.constant dense<2> : tensor<i64>
    %378 = stablehlo.broadcast_in_dim %c_97, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %379 = func.call @f32_x64_rule.remainder(%377, %378) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_98 = stablehlo.constant dense<0> : tensor<i64>
    %380 = stablehlo.broadcast_in_dim %c_98, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %381 = stablehlo.compare EQ, %379, %380, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_99 = stablehlo.constant dense<1> : tensor<i64>
    %382 = stablehlo.broadcast_in_dim %c_99, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %383 = stablehlo.compare EQ, %377, %382, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_100 = stablehlo.constant dense<1> : tensor<i64>
    %384 = stablehlo.broadcast_in_dim %c_100, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %385 = stablehlo.subtract %377, %384 : tensor<61xi64>
    %c_101 = stablehlo.constant dense<2> : tensor<i64>
    %386 = stablehlo.broadcast_in_dim %c_101, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %387 = func.call @f32_x64_rule.floor_divide(%385, %386) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_102 = stablehlo.constant dense<0> : tensor<i64>
    %388 = stablehlo.broadcast_in_dim %c_102, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %389 = stablehlo.compare EQ, %387, %388, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %390 = stablehlo.convert %387 : (tensor<61xi64>) -> tensor<61xf32>
    %cst_103 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_104 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %392 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %393 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %394 = stablehlo.negate %393 : tensor<61xf32>
    %395 = stablehlo.multiply %394, %iterArg_91 : tensor<61xf32>
    %396 = stablehlo.add %iterArg, %391 : tensor<61xf32>
    %397 = stablehlo.divide %395, %396 : tensor<61xf32>
    %398 = stablehlo.add %iterArg, %390 : tensor<61xf32>
    %399 = stablehlo.negate %398 : tensor<61xf32>
    %400 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %401 = stablehlo.add %400, %390 : tensor<61xf32>
    %402 = stablehlo.multiply %399, %401 : tensor<61xf32>
    %403 = stablehlo.multiply %402, %iterArg_91 : tensor<61xf32>
    %404 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %405 = stablehlo.add %iterArg, %404 : tensor<61xf32>
    %406 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %407 = stablehlo.add %iterArg, %406 : tensor<61xf32>
    %408 = stablehlo.add %407, %391 : tensor<61xf32>
    %409 = stablehlo.multiply %405, %408 : tensor<61xf32>
    %410 = stablehlo.divide %403, %409 : tensor<61xf32>
    %411 = stablehlo.select %389, %397, %410 : tensor<61xi1>, tensor<61xf32>
    %412 = stablehlo.subtract %iterArg_90, %390 : tensor<61xf32>
    %413 = stablehlo.multiply %390, %412 : tensor<61xf32>
    %414 = stablehlo.multiply %413, %iterArg_91 : tensor<61xf32>
    %415 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %416 = stablehlo.add %iterArg, %415 : tensor<61xf32>
    %417 = stablehlo.subtract %416, %391 : tensor<61xf32>
    %418 = stablehlo.multiply %392, %390 : tensor<61xf32>
    %419 = stablehlo.add %iterArg, %418 : tensor<61xf32>
    %420 = stablehlo.multiply %417, %419 : tensor<61xf32>
    %421 = stablehlo.divide %414, %420 : tensor<61xf32>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %422 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %423 = stablehlo.select %381, %411, %421 : tensor<61xi1>, tensor<61xf32>
    %424 = stablehlo.select %383, %422, %423 : tensor<61xi1>, tensor<61xf32>
    %425 = stablehlo.broadcast_in_dim %iterArg_92, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_106 = stablehlo.constant dense<0> : tensor<i64>
    %426 = stablehlo.broadcast_in_dim %c_106, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %427 = stablehlo.compare EQ, %425, %426, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %430 = stablehlo.select %427, %428, %429 : tensor<61xi1>, tensor<61xf32>
    %431 = stablehlo.divide %424, %iterArg_94 : tensor<61xf32>
    %432 = stablehlo.add %430, %431 : tensor<61xf32>
    %cst_109 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %434 = stablehlo.abs %432 : tensor<61xf32>
    %435 = stablehlo.compare LT, %434, %433, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %436 = stablehlo.select %435, %433, %432 : tensor<61xi1>, tensor<61xf32>
    %437 = stablehlo.multiply %424, %iterArg_95 : tensor<61xf32>
    %438 = stablehlo.add %430, %437 : tensor<61xf32>
    %439 = stablehlo.abs %438 : tensor<61xf32>
    %440 = stablehlo.compare LT, %439, %433, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %441 = stablehlo.select %440, %433, %438 : tensor<61xi1>, tensor<61xf32>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %442 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %443 = stablehlo.divide %442, %441 : tensor<61xf32>
    %444 = stablehlo.multiply %436, %443 : tensor<61xf32>
    %445 = stablehlo.multiply %iterArg_96, %444 : tensor<61xf32>
    %c_111 = stablehlo.constant dense<1> : tensor<i64>
    %446 = stablehlo.add %iterArg_92, %c_111 : tensor<i64>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %447 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %448 = stablehlo.subtract %444, %447 : tensor<61xf32>
    %449 = stablehlo.abs %448 : tensor<61xf32>
    %cst_113 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %450 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %451 = stablehlo.compare GE, %449, %450, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_114 = stablehlo.constant dense<false> : tensor<i1>
    %452 = stablehlo.reduce(%451 init: %c_114) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %446, %452, %436, %443, %445 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<i64>, tensor<i1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %127 = chlo.lgamma %110 : tensor<61xf32> -> tensor<61xf32>
  %128 = stablehlo.add %109, %110 : tensor<61xf32>
  %129 = chlo.lgamma %128 : tensor<61xf32> -> tensor<61xf32>
  %130 = stablehlo.subtract %127, %129 : tensor<61xf32>
  %131 = chlo.lgamma %109 : tensor<61xf32> -> tensor<61xf32>
  %132 = stablehlo.add %131, %130 : tensor<61xf32>
  %cst_39 = stablehlo.constant dense<2.3509887E-38> : tensor<f32>
  %133 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %134 = stablehlo.compare LT, %109, %133, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %135 = stablehlo.negate %113 : tensor<61xf32>
  %136 = stablehlo.log_plus_one %135 : tensor<61xf32>
  %137 = stablehlo.multiply %136, %110 : tensor<61xf32>
  %138 = stablehlo.subtract %137, %130 : tensor<61xf32>
  %139 = stablehlo.exponential %138 : tensor<61xf32>
  %140 = stablehlo.log %113 : tensor<61xf32>
  %141 = stablehlo.multiply %140, %109 : tensor<61xf32>
  %142 = stablehlo.negate %113 : tensor<61xf32>
  %143 = stablehlo.log_plus_one %142 : tensor<61xf32>
  %144 = stablehlo.multiply %143, %110 : tensor<61xf32>
  %145 = stablehlo.add %141, %144 : tensor<61xf32>
  %146 = stablehlo.subtract %145, %132 : tensor<61xf32>
  %147 = stablehlo.exponential %146 : tensor<61xf32>
  %148 = stablehlo.divide %147, %109 : tensor<61xf32>
  %149 = stablehlo.select %134, %139, %148 : tensor<61xi1>, tensor<61xf32>
  %150 = stablehlo.multiply %126#7, %149 : tensor<61xf32>
  %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %151 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %152 = stablehlo.subtract %151, %150 : tensor<61xf32>
  %153 = stablehlo.select %108, %150, %152 : tensor<61xi1>, tensor<61xf32>
  %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %154 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %155 = stablehlo.select %84, %154, %153 : tensor<61xi1>, tensor<61xf32>
  %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %156 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %157 = stablehlo.select %87, %156, %155 : tensor<61xi1>, tensor<61xf32>
  %cst_43 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %158 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %159 = stablehlo.select %101, %158, %157 : tensor<61xi1>, tensor<61xf32>
  %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %160 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %161 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %162 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %163 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %164 = stablehlo.add %28, %163 : tensor<61xf32>
  %165 = stablehlo.add %28, %29 : tensor<61xf32>
  %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %166 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %167 = stablehlo.add %165, %166 : tensor<61xf32>
  %168 = stablehlo.divide %164, %167 : tensor<61xf32>
  %169 = stablehlo.compare GT, %30, %168, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %170 = stablehlo.log %30 : tensor<61xf32>
  %171 = stablehlo.divide %162, %30 : tensor<61xf32>
  %172 = stablehlo.multiply %28, %170 : tensor<61xf32>
  %173 = stablehlo.multiply %160, %170 : tensor<61xf32>
  %174 = stablehlo.multiply %28, %171 : tensor<61xf32>
  %175 = stablehlo.add %173, %174 : tensor<61xf32>
  %176 = stablehlo.negate %30 : tensor<61xf32>
  %177 = stablehlo.negate %162 : tensor<61xf32>
  %178 = stablehlo.log_plus_one %176 : tensor<61xf32>
  %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %179 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %180 = stablehlo.add %176, %179 : tensor<61xf32>
  %181 = stablehlo.divide %177, %180 : tensor<61xf32>
  %182 = stablehlo.multiply %29, %178 : tensor<61xf32>
  %183 = stablehlo.multiply %161, %178 : tensor<61xf32>
  %184 = stablehlo.multiply %29, %181 : tensor<61xf32>
  %185 = stablehlo.add %183, %184 : tensor<61xf32>
  %186 = stablehlo.add %172, %182 : tensor<61xf32>
  %187 = stablehlo.add %175, %185 : tensor<61xf32>
  %188 = chlo.lgamma %28 : tensor<61xf32> -> tensor<61xf32>
  %189 = chlo.digamma %28 : tensor<61xf32> -> tensor<61xf32>
  %190 = stablehlo.multiply %160, %189 : tensor<61xf32>
  %191 = chlo.lgamma %29 : tensor<61xf32> -> tensor<61xf32>
  %192 = chlo.digamma %29 : tensor<61xf32> -> tensor<61xf32>
  %193 = stablehlo.multiply %161, %192 : tensor<61xf32>
  %194 = stablehlo.add %188, %191 : tensor<61xf32>
  %195 = stablehlo.add %190, %193 : tensor<61xf32>
  %196 = stablehlo.add %28, %29 : tensor<61xf32>
  %197 = stablehlo.add %160, %161 : tensor<61xf32>
  %198 = chlo.lgamma %196 : tensor<61xf32> -> tensor<61xf32>
  %199 = chlo.digamma %196 : tensor<61xf32> -> tensor<61xf32>
  %200 = stablehlo.multiply %197, %199 : tensor<61xf32>
  %201 = stablehlo.subtract %194, %198 : tensor<61xf32>
  %202 = stablehlo.subtract %195, %200 : tensor<61xf32>
  %203 = stablehlo.subtract %186, %201 : tensor<61xf32>
  %204 = stablehlo.subtract %187, %202 : tensor<61xf32>
  %205 = stablehlo.exponential %203 : tensor<61xf32>
  %206 = stablehlo.multiply %204, %205 : tensor<61xf32>
  %207:2 = call @f32_x64_rule._where_4(%169, %29, %28, %161, %160) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %208:2 = call @f32_x64_rule._where_4(%169, %28, %29, %160, %161) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %209 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %210 = stablehlo.subtract %209, %30 : tensor<61xf32>
  %211 = stablehlo.negate %162 : tensor<61xf32>
  %212:2 = call @f32_x64_rule._where_4(%169, %210, %30, %211, %162) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %213 = stablehlo.add %207#0, %208#0 : tensor<61xf32>
  %214 = stablehlo.add %207#1, %208#1 : tensor<61xf32>
  %215 = stablehlo.multiply %213, %212#0 : tensor<61xf32>
  %216 = stablehlo.multiply %214, %212#0 : tensor<61xf32>
  %217 = stablehlo.multiply %213, %212#1 : tensor<61xf32>
  %218 = stablehlo.add %216, %217 : tensor<61xf32>
  %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %219 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %220 = stablehlo.add %207#0, %219 : tensor<61xf32>
  %221 = stablehlo.divide %215, %220 : tensor<61xf32>
  %222 = stablehlo.divide %218, %220 : tensor<61xf32>
  %223 = stablehlo.negate %207#1 : tensor<61xf32>
  %224 = stablehlo.multiply %223, %215 : tensor<61xf32>
  %225 = stablehlo.multiply %220, %220 : tensor<61xf32>
  %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %226 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %227 = stablehlo.divide %226, %225 : tensor<61xf32>
  %228 = stablehlo.multiply %224, %227 : tensor<61xf32>
  %229 = stablehlo.add %222, %228 : tensor<61xf32>
  %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %230 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %231 = stablehlo.subtract %230, %221 : tensor<61xf32>
  %232 = stablehlo.negate %229 : tensor<61xf32>
  %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %233 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %234 = stablehlo.compare EQ, %231, %233, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_55 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
  %235:2 = call @f32_x64_rule._where_5(%234, %cst_55, %231, %232) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %236 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %237 = stablehlo.divide %236, %235#0 : tensor<61xf32>
  %238 = stablehlo.negate %235#1 : tensor<61xf32>
  %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %239 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %240 = stablehlo.multiply %238, %239 : tensor<61xf32>
  %241 = stablehlo.multiply %235#0, %235#0 : tensor<61xf32>
  %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %242 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %243 = stablehlo.divide %242, %241 : tensor<61xf32>
  %244 = stablehlo.multiply %240, %243 : tensor<61xf32>
  %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %245 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %246 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %247 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %248 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %249:15 = stablehlo.while(%iterArg = %207#0, %iterArg_90 = %208#0, %iterArg_91 = %212#0, %iterArg_92 = %207#1, %iterArg_93 = %208#1, %iterArg_94 = %212#1, %iterArg_95 = %cst_63, %iterArg_96 = %245, %iterArg_97 = %237, %iterArg_98 = %237, %iterArg_99 = %246, %iterArg_100 = %247, %iterArg_101 = %244, %iterArg_102 = %244, %iterArg_103 = %248) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %378 = stablehlo.subtract %iterArg_99, %377 : tensor<61xf32>
    %379 = stablehlo.abs %378 : tensor<61xf32>
    %cst_105 = stablehlo.constant dense<4.76837158E-7> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %381 = stablehlo.compare GT, %379, %380, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_106 = stablehlo.constant dense<false> : tensor<i1>
    %382 = stablehlo.reduce(%381 init: %c_106) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %cst_107 = stablehlo.constant dense<3.000000e+04> : tensor<f32>
    %383 = stablehlo.compare LT, %iterArg_95, %cst_107, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %384 = stablehlo.and %382, %383 : tensor<i1>
    stablehlo.return %384 : tensor<i1>
  } do {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.add %iterArg_95, %cst_104 : tensor<f32>
    %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %378 = stablehlo.multiply %cst_105, %377 : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %380 = stablehlo.add %iterArg, %379 : tensor<61xf32>
    %381 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %382 = stablehlo.subtract %iterArg_90, %381 : tensor<61xf32>
    %383 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %384 = stablehlo.multiply %383, %382 : tensor<61xf32>
    %385 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %386 = stablehlo.multiply %385, %iterArg_93 : tensor<61xf32>
    %387 = stablehlo.multiply %384, %iterArg_91 : tensor<61xf32>
    %388 = stablehlo.multiply %386, %iterArg_91 : tensor<61xf32>
    %389 = stablehlo.multiply %384, %iterArg_94 : tensor<61xf32>
    %390 = stablehlo.add %388, %389 : tensor<61xf32>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %392 = stablehlo.subtract %380, %391 : tensor<61xf32>
    %393 = stablehlo.multiply %392, %380 : tensor<61xf32>
    %394 = stablehlo.multiply %iterArg_92, %380 : tensor<61xf32>
    %395 = stablehlo.multiply %392, %iterArg_92 : tensor<61xf32>
    %396 = stablehlo.add %394, %395 : tensor<61xf32>
    %397 = stablehlo.divide %387, %393 : tensor<61xf32>
    %398 = stablehlo.divide %390, %393 : tensor<61xf32>
    %399 = stablehlo.negate %396 : tensor<61xf32>
    %400 = stablehlo.multiply %399, %387 : tensor<61xf32>
    %401 = stablehlo.multiply %393, %393 : tensor<61xf32>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %402 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %403 = stablehlo.divide %402, %401 : tensor<61xf32>
    %404 = stablehlo.multiply %400, %403 : tensor<61xf32>
    %405 = stablehlo.add %398, %404 : tensor<61xf32>
    %406 = stablehlo.divide %397, %iterArg_96 : tensor<61xf32>
    %407 = stablehlo.divide %405, %iterArg_96 : tensor<61xf32>
    %408 = stablehlo.negate %iterArg_100 : tensor<61xf32>
    %409 = stablehlo.multiply %408, %397 : tensor<61xf32>
    %410 = stablehlo.multiply %iterArg_96, %iterArg_96 : tensor<61xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %412 = stablehlo.divide %411, %410 : tensor<61xf32>
    %413 = stablehlo.multiply %409, %412 : tensor<61xf32>
    %414 = stablehlo.add %407, %413 : tensor<61xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %415 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %416 = stablehlo.add %415, %406 : tensor<61xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %418 = stablehlo.compare EQ, %416, %417, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_111 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %419:2 = func.call @f32_x64_rule._where_6(%418, %cst_111, %416, %414) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %420 = stablehlo.multiply %397, %iterArg_97 : tensor<61xf32>
    %421 = stablehlo.multiply %405, %iterArg_97 : tensor<61xf32>
    %422 = stablehlo.multiply %397, %iterArg_101 : tensor<61xf32>
    %423 = stablehlo.add %421, %422 : tensor<61xf32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %425 = stablehlo.add %424, %420 : tensor<61xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %427 = stablehlo.compare EQ, %425, %426, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_114 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %428:2 = func.call @f32_x64_rule._where_6(%427, %cst_114, %425, %423) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %430 = stablehlo.divide %429, %428#0 : tensor<61xf32>
    %431 = stablehlo.negate %428#1 : tensor<61xf32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %433 = stablehlo.multiply %431, %432 : tensor<61xf32>
    %434 = stablehlo.multiply %428#0, %428#0 : tensor<61xf32>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %436 = stablehlo.divide %435, %434 : tensor<61xf32>
    %437 = stablehlo.multiply %433, %436 : tensor<61xf32>
    %438 = stablehlo.multiply %419#0, %430 : tensor<61xf32>
    %439 = stablehlo.multiply %419#1, %430 : tensor<61xf32>
    %440 = stablehlo.multiply %419#0, %437 : tensor<61xf32>
    %441 = stablehlo.add %439, %440 : tensor<61xf32>
    %442 = stablehlo.multiply %iterArg_98, %438 : tensor<61xf32>
    %443 = stablehlo.multiply %iterArg_102, %438 : tensor<61xf32>
    %444 = stablehlo.multiply %iterArg_98, %441 : tensor<61xf32>
    %445 = stablehlo.add %443, %444 : tensor<61xf32>
    %446 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %447 = stablehlo.add %iterArg, %446 : tensor<61xf32>
    %448 = stablehlo.negate %447 : tensor<61xf32>
    %449 = stablehlo.negate %iterArg_92 : tensor<61xf32>
    %450 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %451 = stablehlo.add %iterArg_92, %iterArg_93 : tensor<61xf32>
    %452 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %453 = stablehlo.add %450, %452 : tensor<61xf32>
    %454 = stablehlo.multiply %448, %453 : tensor<61xf32>
    %455 = stablehlo.multiply %449, %453 : tensor<61xf32>
    %456 = stablehlo.multiply %448, %451 : tensor<61xf32>
    %457 = stablehlo.add %455, %456 : tensor<61xf32>
    %458 = stablehlo.multiply %454, %iterArg_91 : tensor<61xf32>
    %459 = stablehlo.multiply %457, %iterArg_91 : tensor<61xf32>
    %460 = stablehlo.multiply %454, %iterArg_94 : tensor<61xf32>
    %461 = stablehlo.add %459, %460 : tensor<61xf32>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %463 = stablehlo.add %380, %462 : tensor<61xf32>
    %464 = stablehlo.multiply %380, %463 : tensor<61xf32>
    %465 = stablehlo.multiply %iterArg_92, %463 : tensor<61xf32>
    %466 = stablehlo.multiply %380, %iterArg_92 : tensor<61xf32>
    %467 = stablehlo.add %465, %466 : tensor<61xf32>
    %468 = stablehlo.divide %458, %464 : tensor<61xf32>
    %469 = stablehlo.divide %461, %464 : tensor<61xf32>
    %470 = stablehlo.negate %467 : tensor<61xf32>
    %471 = stablehlo.multiply %470, %458 : tensor<61xf32>
    %472 = stablehlo.multiply %464, %464 : tensor<61xf32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %474 = stablehlo.divide %473, %472 : tensor<61xf32>
    %475 = stablehlo.multiply %471, %474 : tensor<61xf32>
    %476 = stablehlo.add %469, %475 : tensor<61xf32>
    %477 = stablehlo.divide %468, %419#0 : tensor<61xf32>
    %478 = stablehlo.divide %476, %419#0 : tensor<61xf32>
    %479 = stablehlo.negate %419#1 : tensor<61xf32>
    %480 = stablehlo.multiply %479, %468 : tensor<61xf32>
    %481 = stablehlo.multiply %419#0, %419#0 : tensor<61xf32>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %483 = stablehlo.divide %482, %481 : tensor<61xf32>
    %484 = stablehlo.multiply %480, %483 : tensor<61xf32>
    %485 = stablehlo.add %478, %484 : tensor<61xf32>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %487 = stablehlo.add %486, %477 : tensor<61xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %489 = stablehlo.compare EQ, %487, %488, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_123 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %490:2 = func.call @f32_x64_rule._where_6(%489, %cst_123, %487, %485) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %491 = stablehlo.multiply %468, %430 : tensor<61xf32>
    %492 = stablehlo.multiply %476, %430 : tensor<61xf32>
    %493 = stablehlo.multiply %468, %437 : tensor<61xf32>
    %494 = stablehlo.add %492, %493 : tensor<61xf32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %496 = stablehlo.add %495, %491 : tensor<61xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %498 = stablehlo.compare EQ, %496, %497, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_126 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %499:2 = func.call @f32_x64_rule._where_6(%498, %cst_126, %496, %494) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %501 = stablehlo.divide %500, %499#0 : tensor<61xf32>
    %502 = stablehlo.negate %499#1 : tensor<61xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %504 = stablehlo.multiply %502, %503 : tensor<61xf32>
    %505 = stablehlo.multiply %499#0, %499#0 : tensor<61xf32>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %507 = stablehlo.divide %506, %505 : tensor<61xf32>
    %508 = stablehlo.multiply %504, %507 : tensor<61xf32>
    %509 = stablehlo.multiply %490#0, %501 : tensor<61xf32>
    %510 = stablehlo.multiply %490#1, %501 : tensor<61xf32>
    %511 = stablehlo.multiply %490#0, %508 : tensor<61xf32>
    %512 = stablehlo.add %510, %511 : tensor<61xf32>
    %513 = stablehlo.multiply %442, %509 : tensor<61xf32>
    %514 = stablehlo.multiply %445, %509 : tensor<61xf32>
    %515 = stablehlo.multiply %442, %512 : tensor<61xf32>
    %516 = stablehlo.add %514, %515 : tensor<61xf32>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %377, %490#0, %501, %513, %509, %490#1, %508, %516, %512 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %250 = stablehlo.divide %205, %207#0 : tensor<61xf32>
  %251 = stablehlo.divide %206, %207#0 : tensor<61xf32>
  %252 = stablehlo.negate %207#1 : tensor<61xf32>
  %253 = stablehlo.multiply %252, %205 : tensor<61xf32>
  %254 = stablehlo.multiply %207#0, %207#0 : tensor<61xf32>
  %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %255 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %256 = stablehlo.divide %255, %254 : tensor<61xf32>
  %257 = stablehlo.multiply %253, %256 : tensor<61xf32>
  %258 = stablehlo.add %251, %257 : tensor<61xf32>
  %259 = stablehlo.multiply %258, %249#9 : tensor<61xf32>
  %260 = stablehlo.multiply %250, %249#13 : tensor<61xf32>
  %261 = stablehlo.add %259, %260 : tensor<61xf32>
  %262 = stablehlo.negate %261 : tensor<61xf32>
  %263 = call @f32_x64_rule._where_7(%169, %262, %261) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %c_65 = stablehlo.constant dense<0> : tensor<i64>
  %cst_66 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %264 = call @f32_x64_rule._where_8(%27, %c_65, %cst_66) : (tensor<61xi1>, tensor<i64>, tensor<f64>) -> tensor<61xf64>
  %265 = call @f32_x64_rule._where_9(%16, %263, %264) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf64>) -> tensor<61xf32>
  %266 = stablehlo.multiply %arg3, %265 : tensor<61xf32>
  %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %267 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %268 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %269 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %270 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %271 = stablehlo.add %28, %270 : tensor<61xf32>
  %272 = stablehlo.add %28, %29 : tensor<61xf32>
  %cst_71 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %273 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %274 = stablehlo.add %272, %273 : tensor<61xf32>
  %275 = stablehlo.divide %271, %274 : tensor<61xf32>
  %276 = stablehlo.compare GT, %30, %275, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %277 = stablehlo.log %30 : tensor<61xf32>
  %278 = stablehlo.divide %269, %30 : tensor<61xf32>
  %279 = stablehlo.multiply %28, %277 : tensor<61xf32>
  %280 = stablehlo.multiply %267, %277 : tensor<61xf32>
  %281 = stablehlo.multiply %28, %278 : tensor<61xf32>
  %282 = stablehlo.add %280, %281 : tensor<61xf32>
  %283 = stablehlo.negate %30 : tensor<61xf32>
  %284 = stablehlo.negate %269 : tensor<61xf32>
  %285 = stablehlo.log_plus_one %283 : tensor<61xf32>
  %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %286 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %287 = stablehlo.add %283, %286 : tensor<61xf32>
  %288 = stablehlo.divide %284, %287 : tensor<61xf32>
  %289 = stablehlo.multiply %29, %285 : tensor<61xf32>
  %290 = stablehlo.multiply %268, %285 : tensor<61xf32>
  %291 = stablehlo.multiply %29, %288 : tensor<61xf32>
  %292 = stablehlo.add %290, %291 : tensor<61xf32>
  %293 = stablehlo.add %279, %289 : tensor<61xf32>
  %294 = stablehlo.add %282, %292 : tensor<61xf32>
  %295 = chlo.lgamma %28 : tensor<61xf32> -> tensor<61xf32>
  %296 = chlo.digamma %28 : tensor<61xf32> -> tensor<61xf32>
  %297 = stablehlo.multiply %267, %296 : tensor<61xf32>
  %298 = chlo.lgamma %29 : tensor<61xf32> -> tensor<61xf32>
  %299 = chlo.digamma %29 : tensor<61xf32> -> tensor<61xf32>
  %300 = stablehlo.multiply %268, %299 : tensor<61xf32>
  %301 = stablehlo.add %295, %298 : tensor<61xf32>
  %302 = stablehlo.add %297, %300 : tensor<61xf32>
  %303 = stablehlo.add %28, %29 : tensor<61xf32>
  %304 = stablehlo.add %267, %268 : tensor<61xf32>
  %305 = chlo.lgamma %303 : tensor<61xf32> -> tensor<61xf32>
  %306 = chlo.digamma %303 : tensor<61xf32> -> tensor<61xf32>
  %307 = stablehlo.multiply %304, %306 : tensor<61xf32>
  %308 = stablehlo.subtract %301, %305 : tensor<61xf32>
  %309 = stablehlo.subtract %302, %307 : tensor<61xf32>
  %310 = stablehlo.subtract %293, %308 : tensor<61xf32>
  %311 = stablehlo.subtract %294, %309 : tensor<61xf32>
  %312 = stablehlo.exponential %310 : tensor<61xf32>
  %313 = stablehlo.multiply %311, %312 : tensor<61xf32>
  %314:2 = call @f32_x64_rule._where_4(%276, %29, %28, %268, %267) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %315:2 = call @f32_x64_rule._where_4(%276, %28, %29, %267, %268) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %316 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %317 = stablehlo.subtract %316, %30 : tensor<61xf32>
  %318 = stablehlo.negate %269 : tensor<61xf32>
  %319:2 = call @f32_x64_rule._where_4(%276, %317, %30, %318, %269) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %320 = stablehlo.add %314#0, %315#0 : tensor<61xf32>
  %321 = stablehlo.add %314#1, %315#1 : tensor<61xf32>
  %322 = stablehlo.multiply %320, %319#0 : tensor<61xf32>
  %323 = stablehlo.multiply %321, %319#0 : tensor<61xf32>
  %324 = stablehlo.multiply %320, %319#1 : tensor<61xf32>
  %325 = stablehlo.add %323, %324 : tensor<61xf32>
  %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %326 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %327 = stablehlo.add %314#0, %326 : tensor<61xf32>
  %328 = stablehlo.divide %322, %327 : tensor<61xf32>
  %329 = stablehlo.divide %325, %327 : tensor<61xf32>
  %330 = stablehlo.negate %314#1 : tensor<61xf32>
  %331 = stablehlo.multiply %330, %322 : tensor<61xf32>
  %332 = stablehlo.multiply %327, %327 : tensor<61xf32>
  %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %333 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %334 = stablehlo.divide %333, %332 : tensor<61xf32>
  %335 = stablehlo.multiply %331, %334 : tensor<61xf32>
  %336 = stablehlo.add %329, %335 : tensor<61xf32>
  %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %337 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %338 = stablehlo.subtract %337, %328 : tensor<61xf32>
  %339 = stablehlo.negate %336 : tensor<61xf32>
  %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %340 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %341 = stablehlo.compare EQ, %338, %340, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_78 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
  %342:2 = call @f32_x64_rule._where_5(%341, %cst_78, %338, %339) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %343 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %344 = stablehlo.divide %343, %342#0 : tensor<61xf32>
  %345 = stablehlo.negate %342#1 : tensor<61xf32>
  %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %346 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %347 = stablehlo.multiply %345, %346 : tensor<61xf32>
  %348 = stablehlo.multiply %342#0, %342#0 : tensor<61xf32>
  %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %349 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %350 = stablehlo.divide %349, %348 : tensor<61xf32>
  %351 = stablehlo.multiply %347, %350 : tensor<61xf32>
  %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %352 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_83 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %353 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %354 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %355 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %356:15 = stablehlo.while(%iterArg = %314#0, %iterArg_90 = %315#0, %iterArg_91 = %319#0, %iterArg_92 = %314#1, %iterArg_93 = %315#1, %iterArg_94 = %319#1, %iterArg_95 = %cst_86, %iterArg_96 = %352, %iterArg_97 = %344, %iterArg_98 = %344, %iterArg_99 = %353, %iterArg_100 = %354, %iterArg_101 = %351, %iterArg_102 = %351, %iterArg_103 = %355) : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %378 = stablehlo.subtract %iterArg_99, %377 : tensor<61xf32>
    %379 = stablehlo.abs %378 : tensor<61xf32>
    %cst_105 = stablehlo.constant dense<4.76837158E-7> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %381 = stablehlo.compare GT, %379, %380, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %c_106 = stablehlo.constant dense<false> : tensor<i1>
    %382 = stablehlo.reduce(%381 init: %c_106) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %cst_107 = stablehlo.constant dense<3.000000e+04> : tensor<f32>
    %383 = stablehlo.compare LT, %iterArg_95, %cst_107, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %384 = stablehlo.and %382, %383 : tensor<i1>
    stablehlo.return %384 : tensor<i1>
  } do {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.add %iterArg_95, %cst_104 : tensor<f32>
    %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %378 = stablehlo.multiply %cst_105, %377 : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %380 = stablehlo.add %iterArg, %379 : tensor<61xf32>
    %381 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %382 = stablehlo.subtract %iterArg_90, %381 : tensor<61xf32>
    %383 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %384 = stablehlo.multiply %383, %382 : tensor<61xf32>
    %385 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %386 = stablehlo.multiply %385, %iterArg_93 : tensor<61xf32>
    %387 = stablehlo.multiply %384, %iterArg_91 : tensor<61xf32>
    %388 = stablehlo.multiply %386, %iterArg_91 : tensor<61xf32>
    %389 = stablehlo.multiply %384, %iterArg_94 : tensor<61xf32>
    %390 = stablehlo.add %388, %389 : tensor<61xf32>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %392 = stablehlo.subtract %380, %391 : tensor<61xf32>
    %393 = stablehlo.multiply %392, %380 : tensor<61xf32>
    %394 = stablehlo.multiply %iterArg_92, %380 : tensor<61xf32>
    %395 = stablehlo.multiply %392, %iterArg_92 : tensor<61xf32>
    %396 = stablehlo.add %394, %395 : tensor<61xf32>
    %397 = stablehlo.divide %387, %393 : tensor<61xf32>
    %398 = stablehlo.divide %390, %393 : tensor<61xf32>
    %399 = stablehlo.negate %396 : tensor<61xf32>
    %400 = stablehlo.multiply %399, %387 : tensor<61xf32>
    %401 = stablehlo.multiply %393, %393 : tensor<61xf32>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %402 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %403 = stablehlo.divide %402, %401 : tensor<61xf32>
    %404 = stablehlo.multiply %400, %403 : tensor<61xf32>
    %405 = stablehlo.add %398, %404 : tensor<61xf32>
    %406 = stablehlo.divide %397, %iterArg_96 : tensor<61xf32>
    %407 = stablehlo.divide %405, %iterArg_96 : tensor<61xf32>
    %408 = stablehlo.negate %iterArg_100 : tensor<61xf32>
    %409 = stablehlo.multiply %408, %397 : tensor<61xf32>
    %410 = stablehlo.multiply %iterArg_96, %iterArg_96 : tensor<61xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %412 = stablehlo.divide %411, %410 : tensor<61xf32>
    %413 = stablehlo.multiply %409, %412 : tensor<61xf32>
    %414 = stablehlo.add %407, %413 : tensor<61xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %415 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %416 = stablehlo.add %415, %406 : tensor<61xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %418 = stablehlo.compare EQ, %416, %417, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_111 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %419:2 = func.call @f32_x64_rule._where_6(%418, %cst_111, %416, %414) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %420 = stablehlo.multiply %397, %iterArg_97 : tensor<61xf32>
    %421 = stablehlo.multiply %405, %iterArg_97 : tensor<61xf32>
    %422 = stablehlo.multiply %397, %iterArg_101 : tensor<61xf32>
    %423 = stablehlo.add %421, %422 : tensor<61xf32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %425 = stablehlo.add %424, %420 : tensor<61xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %427 = stablehlo.compare EQ, %425, %426, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_114 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %428:2 = func.call @f32_x64_rule._where_6(%427, %cst_114, %425, %423) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %430 = stablehlo.divide %429, %428#0 : tensor<61xf32>
    %431 = stablehlo.negate %428#1 : tensor<61xf32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %433 = stablehlo.multiply %431, %432 : tensor<61xf32>
    %434 = stablehlo.multiply %428#0, %428#0 : tensor<61xf32>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %436 = stablehlo.divide %435, %434 : tensor<61xf32>
    %437 = stablehlo.multiply %433, %436 : tensor<61xf32>
    %438 = stablehlo.multiply %419#0, %430 : tensor<61xf32>
    %439 = stablehlo.multiply %419#1, %430 : tensor<61xf32>
    %440 = stablehlo.multiply %419#0, %437 : tensor<61xf32>
    %441 = stablehlo.add %439, %440 : tensor<61xf32>
    %442 = stablehlo.multiply %iterArg_98, %438 : tensor<61xf32>
    %443 = stablehlo.multiply %iterArg_102, %438 : tensor<61xf32>
    %444 = stablehlo.multiply %iterArg_98, %441 : tensor<61xf32>
    %445 = stablehlo.add %443, %444 : tensor<61xf32>
    %446 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %447 = stablehlo.add %iterArg, %446 : tensor<61xf32>
    %448 = stablehlo.negate %447 : tensor<61xf32>
    %449 = stablehlo.negate %iterArg_92 : tensor<61xf32>
    %450 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf32>
    %451 = stablehlo.add %iterArg_92, %iterArg_93 : tensor<61xf32>
    %452 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %453 = stablehlo.add %450, %452 : tensor<61xf32>
    %454 = stablehlo.multiply %448, %453 : tensor<61xf32>
    %455 = stablehlo.multiply %449, %453 : tensor<61xf32>
    %456 = stablehlo.multiply %448, %451 : tensor<61xf32>
    %457 = stablehlo.add %455, %456 : tensor<61xf32>
    %458 = stablehlo.multiply %454, %iterArg_91 : tensor<61xf32>
    %459 = stablehlo.multiply %457, %iterArg_91 : tensor<61xf32>
    %460 = stablehlo.multiply %454, %iterArg_94 : tensor<61xf32>
    %461 = stablehlo.add %459, %460 : tensor<61xf32>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %463 = stablehlo.add %380, %462 : tensor<61xf32>
    %464 = stablehlo.multiply %380, %463 : tensor<61xf32>
    %465 = stablehlo.multiply %iterArg_92, %463 : tensor<61xf32>
    %466 = stablehlo.multiply %380, %iterArg_92 : tensor<61xf32>
    %467 = stablehlo.add %465, %466 : tensor<61xf32>
    %468 = stablehlo.divide %458, %464 : tensor<61xf32>
    %469 = stablehlo.divide %461, %464 : tensor<61xf32>
    %470 = stablehlo.negate %467 : tensor<61xf32>
    %471 = stablehlo.multiply %470, %458 : tensor<61xf32>
    %472 = stablehlo.multiply %464, %464 : tensor<61xf32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %474 = stablehlo.divide %473, %472 : tensor<61xf32>
    %475 = stablehlo.multiply %471, %474 : tensor<61xf32>
    %476 = stablehlo.add %469, %475 : tensor<61xf32>
    %477 = stablehlo.divide %468, %419#0 : tensor<61xf32>
    %478 = stablehlo.divide %476, %419#0 : tensor<61xf32>
    %479 = stablehlo.negate %419#1 : tensor<61xf32>
    %480 = stablehlo.multiply %479, %468 : tensor<61xf32>
    %481 = stablehlo.multiply %419#0, %419#0 : tensor<61xf32>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %483 = stablehlo.divide %482, %481 : tensor<61xf32>
    %484 = stablehlo.multiply %480, %483 : tensor<61xf32>
    %485 = stablehlo.add %478, %484 : tensor<61xf32>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %487 = stablehlo.add %486, %477 : tensor<61xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %489 = stablehlo.compare EQ, %487, %488, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_123 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %490:2 = func.call @f32_x64_rule._where_6(%489, %cst_123, %487, %485) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %491 = stablehlo.multiply %468, %430 : tensor<61xf32>
    %492 = stablehlo.multiply %476, %430 : tensor<61xf32>
    %493 = stablehlo.multiply %468, %437 : tensor<61xf32>
    %494 = stablehlo.add %492, %493 : tensor<61xf32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %496 = stablehlo.add %495, %491 : tensor<61xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %498 = stablehlo.compare EQ, %496, %497, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_126 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %499:2 = func.call @f32_x64_rule._where_6(%498, %cst_126, %496, %494) : (tensor<61xi1>, tensor<f64>, tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %501 = stablehlo.divide %500, %499#0 : tensor<61xf32>
    %502 = stablehlo.negate %499#1 : tensor<61xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %504 = stablehlo.multiply %502, %503 : tensor<61xf32>
    %505 = stablehlo.multiply %499#0, %499#0 : tensor<61xf32>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %507 = stablehlo.divide %506, %505 : tensor<61xf32>
    %508 = stablehlo.multiply %504, %507 : tensor<61xf32>
    %509 = stablehlo.multiply %490#0, %501 : tensor<61xf32>
    %510 = stablehlo.multiply %490#1, %501 : tensor<61xf32>
    %511 = stablehlo.multiply %490#0, %508 : tensor<61xf32>
    %512 = stablehlo.add %510, %511 : tensor<61xf32>
    %513 = stablehlo.multiply %442, %509 : tensor<61xf32>
    %514 = stablehlo.multiply %445, %509 : tensor<61xf32>
    %515 = stablehlo.multiply %442, %512 : tensor<61xf32>
    %516 = stablehlo.add %514, %515 : tensor<61xf32>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %377, %490#0, %501, %513, %509, %490#1, %508, %516, %512 : tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %357 = stablehlo.divide %312, %314#0 : tensor<61xf32>
  %358 = stablehlo.divide %313, %314#0 : tensor<61xf32>
  %359 = stablehlo.negate %314#1 : tensor<61xf32>
  %360 = stablehlo.multiply %359, %312 : tensor<61xf32>
  %361 = stablehlo.multiply %314#0, %314#0 : tensor<61xf32>
  %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %362 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %363 = stablehlo.divide %362, %361 : tensor<61xf32>
  %364 = stablehlo.multiply %360, %363 : tensor<61xf32>
  %365 = stablehlo.add %358, %364 : tensor<61xf32>
  %366 = stablehlo.multiply %365, %356#9 : tensor<61xf32>
  %367 = stablehlo.multiply %357, %356#13 : tensor<61xf32>
  %368 = stablehlo.add %366, %367 : tensor<61xf32>
  %369 = stablehlo.negate %368 : tensor<61xf32>
  %370 = call @f32_x64_rule._where_7(%276, %369, %368) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %c_88 = stablehlo.constant dense<0> : tensor<i64>
  %cst_89 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %371 = call @f32_x64_rule._where_8(%27, %c_88, %cst_89) : (tensor<61xi1>, tensor<i64>, tensor<f64>) -> tensor<61xf64>
  %372 = call @f32_x64_rule._where_9(%16, %370, %371) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf64>) -> tensor<61xf32>
  %373 = stablehlo.multiply %arg4, %372 : tensor<61xf32>
  %374 = stablehlo.add %266, %373 : tensor<61xf32>
  %375 = stablehlo.multiply %arg5, %60 : tensor<61xf32>
  %376 = stablehlo.add %374, %375 : tensor<61xf32>
  return %159, %376 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_x64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<i64>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<61xi1>, tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32_x64_rule._where_0(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<f64>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg2 : (tensor<f64>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<61xi1>, tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32_x64_rule._where_1(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32_x64_rule.remainder(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %c = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %3 = call @f32_x64_rule._where_2(%1, %2, %arg1) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  %4 = stablehlo.remainder %arg0, %3 : tensor<61xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i64>
  %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_3 = stablehlo.constant dense<0> : tensor<i64>
  %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.and %11, %6 : tensor<61xi1>
  %13 = stablehlo.add %4, %3 : tensor<61xi64>
  %14 = stablehlo.select %12, %13, %4 : tensor<61xi1>, tensor<61xi64>
  return %14 : tensor<61xi64>
}
func.func private @f32_x64_rule._where_2(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func private @f32_x64_rule.floor_divide(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.divide %arg0, %arg1 : tensor<61xi64>
  %1 = stablehlo.sign %arg0 : tensor<61xi64>
  %2 = stablehlo.sign %arg1 : tensor<61xi64>
  %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %4 = stablehlo.remainder %arg0, %arg1 : tensor<61xi64>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %9 = stablehlo.convert %8 : tensor<61xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<i1>
  %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.convert %11 : tensor<61xi1>
  %13 = stablehlo.and %9, %12 : tensor<61xi1>
  %c_2 = stablehlo.constant dense<1> : tensor<i64>
  %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %15 = stablehlo.subtract %0, %14 : tensor<61xi64>
  %16 = call @f32_x64_rule._where_3(%13, %15, %0) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  return %16 : tensor<61xi64>
}
func.func private @f32_x64_rule._where_3(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func private @f32_x64_rule._where_4(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>, %arg4: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  %1 = stablehlo.select %arg0, %arg3, %arg4 : tensor<61xi1>, tensor<61xf32>
  return %0, %1 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_x64_rule._where_5(%arg0: tensor<61xi1>, %arg1: tensor<f64>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.convert %arg1 : (tensor<f64>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.select %arg0, %3, %arg3 : tensor<61xi1>, tensor<61xf32>
  return %2, %4 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_x64_rule._where_6(%arg0: tensor<61xi1>, %arg1: tensor<f64>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.convert %arg1 : (tensor<f64>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.select %arg0, %3, %arg3 : tensor<61xi1>, tensor<61xf32>
  return %2, %4 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_x64_rule._where_7(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32_x64_rule._where_8(%arg0: tensor<61xi1>, %arg1: tensor<i64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.select %arg0, %1, %2 : tensor<61xi1>, tensor<61xf64>
  return %3 : tensor<61xf64>
}
func.func private @f32_x64_rule._where_9(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf64>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg2 : (tensor<61xf64>) -> tensor<61xf32>
  %1 = stablehlo.select %arg0, %arg1, %0 : tensor<61xi1>, tensor<61xf32>
  return %1 : tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> (tensor<61xf64>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.compare EQ, %arg1, %2, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %4 = stablehlo.or %1, %3 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare EQ, %arg1, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %8 = stablehlo.compare EQ, %arg0, %7, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %9 = stablehlo.or %6, %8 : tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %11 = stablehlo.compare EQ, %arg2, %10, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %13 = stablehlo.compare EQ, %arg2, %12, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %14 = stablehlo.not %11 : tensor<61xi1>
  %15 = stablehlo.not %13 : tensor<61xi1>
  %16 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %17 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %18 = stablehlo.or %16, %17 : tensor<61xi1>
  %19 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %20 = stablehlo.or %18, %19 : tensor<61xi1>
  %21 = stablehlo.and %9, %15 : tensor<61xi1>
  %22 = stablehlo.and %4, %11 : tensor<61xi1>
  %23 = stablehlo.or %21, %22 : tensor<61xi1>
  %24 = stablehlo.and %4, %14 : tensor<61xi1>
  %25 = stablehlo.and %9, %13 : tensor<61xi1>
  %26 = stablehlo.or %24, %25 : tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %28 = stablehlo.compare LT, %arg0, %27, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %30 = stablehlo.compare LT, %arg1, %29, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %31 = stablehlo.or %28, %30 : tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %33 = stablehlo.compare LT, %arg2, %32, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %34 = stablehlo.or %31, %33 : tensor<61xi1>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %36 = stablehlo.compare GT, %arg2, %35, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %37 = stablehlo.or %34, %36 : tensor<61xi1>
  %38 = stablehlo.and %4, %9 : tensor<61xi1>
  %39 = stablehlo.or %38, %20 : tensor<61xi1>
  %40 = stablehlo.or %37, %39 : tensor<61xi1>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %42 = stablehlo.add %arg0, %41 : tensor<61xf64>
  %43 = stablehlo.add %arg0, %arg1 : tensor<61xf64>
  %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %45 = stablehlo.add %43, %44 : tensor<61xf64>
  %46 = stablehlo.divide %42, %45 : tensor<61xf64>
  %47 = stablehlo.compare LT, %arg2, %46, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %48 = stablehlo.select %47, %arg0, %arg1 : tensor<61xi1>, tensor<61xf64>
  %49 = stablehlo.select %47, %arg1, %arg0 : tensor<61xi1>, tensor<61xf64>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %51 = stablehlo.subtract %50, %arg2 : tensor<61xf64>
  %52 = stablehlo.select %47, %arg2, %51 : tensor<61xi1>, tensor<61xf64>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %53 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %c_12 = stablehlo.constant dense<0> : tensor<i64>
  %54 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %55 = stablehlo.compare EQ, %53, %54, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %57 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %58 = stablehlo.select %55, %56, %57 : tensor<61xi1>, tensor<61xf64>
  %59 = stablehlo.abs %58 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
  %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %61 = stablehlo.compare LT, %59, %60, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_16 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
  %62 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %63 = stablehlo.select %61, %62, %58 : tensor<61xi1>, tensor<61xf64>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %c_18 = stablehlo.constant dense<1> : tensor<i64>
  %c_19 = stablehlo.constant dense<true> : tensor<i1>
  %65:8 = stablehlo.while(%iterArg = %48, %iterArg_25 = %49, %iterArg_26 = %52, %iterArg_27 = %c_18, %iterArg_28 = %c_19, %iterArg_29 = %63, %iterArg_30 = %64, %iterArg_31 = %63) : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<i64>, tensor<i1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c_32 = stablehlo.constant dense<600> : tensor<i64>
    %99 = stablehlo.compare LT, %iterArg_27, %c_32, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %100 = stablehlo.and %99, %iterArg_28 : tensor<i1>
    stablehlo.return %100 : tensor<i1>
  } do {
    %99 = stablehlo.broadcast_in_dim %iterArg_27, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_32 = stablehlo.constant dense<2> : tensor<i64>
    %100 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %101 = func.call @f64.remainder(%99, %100) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_33 = stablehlo.constant dense<0> : tensor<i64>
    %102 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %103 = stablehlo.compare EQ, %101, %102, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_34 = stablehlo.constant dense<1> : tensor<i64>
    %104 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %105 = stablehlo.compare EQ, %99, %104, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_35 = stablehlo.constant dense<1> : tensor<i64>
    %106 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %107 = stablehlo.subtract %99, %106 : tensor<61xi64>
    %c_36 = stablehlo.constant dense<2> : tensor<i64>
    %108 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %109 = func.call @f64.floor_divide(%107, %108) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_37 = stablehlo.constant dense<0> : tensor<i64>
    %110 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %111 = stablehlo.compare EQ, %109, %110, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %112 = stablehlo.convert %109 : (tensor<61xi64>) -> tensor<61xf64>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %113 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %114 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %115 = stablehlo.add %iterArg, %iterArg_25 : tensor<61xf64>
    %116 = stablehlo.negate %115 : tensor<61xf64>
    %117 = stablehlo.multiply %116, %iterArg_26 : tensor<61xf64>
    %118 = stablehlo.add %iterArg, %113 : tensor<61xf64>
    %119 = stablehlo.divide %117, %118 : tensor<61xf64>
    %120 = stablehlo.add %iterArg, %112 : tensor<61xf64>
    %121 = stablehlo.negate %120 : tensor<61xf64>
    %122 = stablehlo.add %iterArg, %iterArg_25 : tensor<61xf64>
    %123 = stablehlo.add %122, %112 : tensor<61xf64>
    %124 = stablehlo.multiply %121, %123 : tensor<61xf64>
    %125 = stablehlo.multiply %124, %iterArg_26 : tensor<61xf64>
    %126 = stablehlo.multiply %114, %112 : tensor<61xf64>
    %127 = stablehlo.add %iterArg, %126 : tensor<61xf64>
    %128 = stablehlo.multiply %114, %112 : tensor<61xf64>
    %129 = stablehlo.add %iterArg, %128 : tensor<61xf64>
    %130 = stablehlo.add %129, %113 : tensor<61xf64>
    %131 = stablehlo.multiply %127, %130 : tensor<61xf64>
    %132 = stablehlo.divide %125, %131 : tensor<61xf64>
    %133 = stablehlo.select %111, %119, %132 : tensor<61xi1>, tensor<61xf64>
    %134 = stablehlo.subtract %iterArg_25, %112 : tensor<61xf64>
    %135 = stablehlo.multiply %112, %134 : tensor<61xf64>
    %136 = stablehlo.multiply %135, %iterArg_26 : tensor<61xf64>
    %137 = stablehlo.multiply %114, %112 : tensor<61xf64>
    %138 = stablehlo.add %iterArg, %137 : tensor<61xf64>
    %139 = stablehlo.subtract %138, %113 : tensor<61xf64>
    %140 = stablehlo.multiply %114, %112 : tensor<61xf64>
    %141 = stablehlo.add %iterArg, %140 : tensor<61xf64>
    %142 = stablehlo.multiply %139, %141 : tensor<61xf64>
    %143 = stablehlo.divide %136, %142 : tensor<61xf64>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %144 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %145 = stablehlo.select %103, %133, %143 : tensor<61xi1>, tensor<61xf64>
    %146 = stablehlo.select %105, %144, %145 : tensor<61xi1>, tensor<61xf64>
    %147 = stablehlo.broadcast_in_dim %iterArg_27, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_41 = stablehlo.constant dense<0> : tensor<i64>
    %148 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %149 = stablehlo.compare EQ, %147, %148, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %150 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %151 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %152 = stablehlo.select %149, %150, %151 : tensor<61xi1>, tensor<61xf64>
    %153 = stablehlo.divide %146, %iterArg_29 : tensor<61xf64>
    %154 = stablehlo.add %152, %153 : tensor<61xf64>
    %cst_44 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
    %155 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %156 = stablehlo.abs %154 : tensor<61xf64>
    %157 = stablehlo.compare LT, %156, %155, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %158 = stablehlo.select %157, %155, %154 : tensor<61xi1>, tensor<61xf64>
    %159 = stablehlo.multiply %146, %iterArg_30 : tensor<61xf64>
    %160 = stablehlo.add %152, %159 : tensor<61xf64>
    %161 = stablehlo.abs %160 : tensor<61xf64>
    %162 = stablehlo.compare LT, %161, %155, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %163 = stablehlo.select %162, %155, %160 : tensor<61xi1>, tensor<61xf64>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %164 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %165 = stablehlo.divide %164, %163 : tensor<61xf64>
    %166 = stablehlo.multiply %158, %165 : tensor<61xf64>
    %167 = stablehlo.multiply %iterArg_31, %166 : tensor<61xf64>
    %c_46 = stablehlo.constant dense<1> : tensor<i64>
    %168 = stablehlo.add %iterArg_27, %c_46 : tensor<i64>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %169 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %170 = stablehlo.subtract %166, %169 : tensor<61xf64>
    %171 = stablehlo.abs %170 : tensor<61xf64>
    %cst_48 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
    %172 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %173 = stablehlo.compare GE, %171, %172, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %c_49 = stablehlo.constant dense<false> : tensor<i1>
    %174 = stablehlo.reduce(%173 init: %c_49) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %iterArg, %iterArg_25, %iterArg_26, %168, %174, %158, %165, %167 : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<i64>, tensor<i1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %66 = chlo.lgamma %49 : tensor<61xf64> -> tensor<61xf64>
  %67 = stablehlo.add %48, %49 : tensor<61xf64>
  %68 = chlo.lgamma %67 : tensor<61xf64> -> tensor<61xf64>
  %69 = stablehlo.subtract %66, %68 : tensor<61xf64>
  %70 = chlo.lgamma %48 : tensor<61xf64> -> tensor<61xf64>
  %71 = stablehlo.add %70, %69 : tensor<61xf64>
  %cst_20 = stablehlo.constant dense<4.4501477170144028E-308> : tensor<f64>
  %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %73 = stablehlo.compare LT, %48, %72, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %74 = stablehlo.negate %52 : tensor<61xf64>
  %75 = stablehlo.log_plus_one %74 : tensor<61xf64>
  %76 = stablehlo.multiply %75, %49 : tensor<61xf64>
  %77 = stablehlo.subtract %76, %69 : tensor<61xf64>
  %78 = stablehlo.exponential %77 : tensor<61xf64>
  %79 = stablehlo.log %52 : tensor<61xf64>
  %80 = stablehlo.multiply %79, %48 : tensor<61xf64>
  %81 = stablehlo.negate %52 : tensor<61xf64>
  %82 = stablehlo.log_plus_one %81 : tensor<61xf64>
  %83 = stablehlo.multiply %82, %49 : tensor<61xf64>
  %84 = stablehlo.add %80, %83 : tensor<61xf64>
  %85 = stablehlo.subtract %84, %71 : tensor<61xf64>
  %86 = stablehlo.exponential %85 : tensor<61xf64>
  %87 = stablehlo.divide %86, %48 : tensor<61xf64>
  %88 = stablehlo.select %73, %78, %87 : tensor<61xi1>, tensor<61xf64>
  %89 = stablehlo.multiply %65#7, %88 : tensor<61xf64>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %90 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %91 = stablehlo.subtract %90, %89 : tensor<61xf64>
  %92 = stablehlo.select %47, %89, %91 : tensor<61xi1>, tensor<61xf64>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %93 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %94 = stablehlo.select %23, %93, %92 : tensor<61xi1>, tensor<61xf64>
  %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %95 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %96 = stablehlo.select %26, %95, %94 : tensor<61xi1>, tensor<61xf64>
  %cst_24 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %97 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %98 = stablehlo.select %40, %97, %96 : tensor<61xi1>, tensor<61xf64>
  return %98 : tensor<61xf64>
}
func.func private @f64.remainder(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %c = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %3 = call @f64._where(%1, %2, %arg1) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  %4 = stablehlo.remainder %arg0, %3 : tensor<61xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i64>
  %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_3 = stablehlo.constant dense<0> : tensor<i64>
  %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.and %11, %6 : tensor<61xi1>
  %13 = stablehlo.add %4, %3 : tensor<61xi64>
  %14 = stablehlo.select %12, %13, %4 : tensor<61xi1>, tensor<61xi64>
  return %14 : tensor<61xi64>
}
func.func private @f64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func private @f64.floor_divide(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.divide %arg0, %arg1 : tensor<61xi64>
  %1 = stablehlo.sign %arg0 : tensor<61xi64>
  %2 = stablehlo.sign %arg1 : tensor<61xi64>
  %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %4 = stablehlo.remainder %arg0, %arg1 : tensor<61xi64>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %9 = stablehlo.convert %8 : tensor<61xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<i1>
  %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.convert %11 : tensor<61xi1>
  %13 = stablehlo.and %9, %12 : tensor<61xi1>
  %c_2 = stablehlo.constant dense<1> : tensor<i64>
  %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %15 = stablehlo.subtract %0, %14 : tensor<61xi64>
  %16 = call @f64._where_0(%13, %15, %0) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  return %16 : tensor<61xi64>
}
func.func private @f64._where_0(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>, %arg4: tensor<61xf64>, %arg5: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.compare GT, %arg1, %2, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %4 = stablehlo.and %1, %3 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare LT, %arg0, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %7 = stablehlo.and %4, %6 : tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.compare LT, %arg1, %8, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %10 = stablehlo.and %7, %9 : tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.compare GT, %arg2, %11, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %13 = stablehlo.and %10, %12 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.compare LT, %arg2, %14, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %16 = stablehlo.and %13, %15 : tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.compare GT, %arg0, %17, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %20 = stablehlo.compare GT, %arg1, %19, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %21 = stablehlo.and %18, %20 : tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %23 = stablehlo.compare EQ, %arg2, %22, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %25 = stablehlo.compare EQ, %arg2, %24, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %26 = stablehlo.or %23, %25 : tensor<61xi1>
  %27 = stablehlo.and %21, %26 : tensor<61xi1>
  %c = stablehlo.constant dense<1> : tensor<i64>
  %28 = call @f64_rule._where(%16, %arg0, %c) : (tensor<61xi1>, tensor<61xf64>, tensor<i64>) -> tensor<61xf64>
  %c_9 = stablehlo.constant dense<1> : tensor<i64>
  %29 = call @f64_rule._where(%16, %arg1, %c_9) : (tensor<61xi1>, tensor<61xf64>, tensor<i64>) -> tensor<61xf64>
  %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %30 = call @f64_rule._where_0(%16, %arg2, %cst_10) : (tensor<61xi1>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %31 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %32 = stablehlo.subtract %arg0, %31 : tensor<61xf64>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %33 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %34 = stablehlo.compare NE, %32, %33, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %35 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %36 = stablehlo.or %34, %35 : tensor<61xi1>
  %37 = stablehlo.log %arg2 : tensor<61xf64>
  %38 = stablehlo.multiply %32, %37 : tensor<61xf64>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %39 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %40 = call @f64_rule._where_1(%36, %38, %39) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %41 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %42 = stablehlo.subtract %arg1, %41 : tensor<61xf64>
  %43 = stablehlo.negate %arg2 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %44 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %45 = stablehlo.compare NE, %42, %44, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %46 = stablehlo.compare NE, %43, %43, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %47 = stablehlo.or %45, %46 : tensor<61xi1>
  %48 = stablehlo.log_plus_one %43 : tensor<61xf64>
  %49 = stablehlo.multiply %42, %48 : tensor<61xf64>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %50 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %51 = call @f64_rule._where_1(%47, %49, %50) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %52 = stablehlo.add %40, %51 : tensor<61xf64>
  %53 = chlo.lgamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %54 = chlo.lgamma %arg1 : tensor<61xf64> -> tensor<61xf64>
  %55 = stablehlo.add %53, %54 : tensor<61xf64>
  %56 = stablehlo.add %arg0, %arg1 : tensor<61xf64>
  %57 = chlo.lgamma %56 : tensor<61xf64> -> tensor<61xf64>
  %58 = stablehlo.subtract %55, %57 : tensor<61xf64>
  %59 = stablehlo.subtract %52, %58 : tensor<61xf64>
  %60 = stablehlo.exponential %59 : tensor<61xf64>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %62 = stablehlo.compare EQ, %arg0, %61, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_18 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %64 = stablehlo.compare EQ, %arg1, %63, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %65 = stablehlo.or %62, %64 : tensor<61xi1>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %67 = stablehlo.compare EQ, %arg1, %66, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_20 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %69 = stablehlo.compare EQ, %arg0, %68, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %70 = stablehlo.or %67, %69 : tensor<61xi1>
  %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %72 = stablehlo.compare EQ, %arg2, %71, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %74 = stablehlo.compare EQ, %arg2, %73, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %75 = stablehlo.not %72 : tensor<61xi1>
  %76 = stablehlo.not %74 : tensor<61xi1>
  %77 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %78 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %79 = stablehlo.or %77, %78 : tensor<61xi1>
  %80 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %81 = stablehlo.or %79, %80 : tensor<61xi1>
  %82 = stablehlo.and %70, %76 : tensor<61xi1>
  %83 = stablehlo.and %65, %72 : tensor<61xi1>
  %84 = stablehlo.or %82, %83 : tensor<61xi1>
  %85 = stablehlo.and %65, %75 : tensor<61xi1>
  %86 = stablehlo.and %70, %74 : tensor<61xi1>
  %87 = stablehlo.or %85, %86 : tensor<61xi1>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %88 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %89 = stablehlo.compare LT, %arg0, %88, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %91 = stablehlo.compare LT, %arg1, %90, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %92 = stablehlo.or %89, %91 : tensor<61xi1>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %93 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %94 = stablehlo.compare LT, %arg2, %93, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %95 = stablehlo.or %92, %94 : tensor<61xi1>
  %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %97 = stablehlo.compare GT, %arg2, %96, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %98 = stablehlo.or %95, %97 : tensor<61xi1>
  %99 = stablehlo.and %65, %70 : tensor<61xi1>
  %100 = stablehlo.or %99, %81 : tensor<61xi1>
  %101 = stablehlo.or %98, %100 : tensor<61xi1>
  %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %103 = stablehlo.add %arg0, %102 : tensor<61xf64>
  %104 = stablehlo.add %arg0, %arg1 : tensor<61xf64>
  %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %106 = stablehlo.add %104, %105 : tensor<61xf64>
  %107 = stablehlo.divide %103, %106 : tensor<61xf64>
  %108 = stablehlo.compare LT, %arg2, %107, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %109 = stablehlo.select %108, %arg0, %arg1 : tensor<61xi1>, tensor<61xf64>
  %110 = stablehlo.select %108, %arg1, %arg0 : tensor<61xi1>, tensor<61xf64>
  %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %111 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %112 = stablehlo.subtract %111, %arg2 : tensor<61xf64>
  %113 = stablehlo.select %108, %arg2, %112 : tensor<61xi1>, tensor<61xf64>
  %c_30 = stablehlo.constant dense<0> : tensor<i64>
  %114 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %c_31 = stablehlo.constant dense<0> : tensor<i64>
  %115 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %116 = stablehlo.compare EQ, %114, %115, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %117 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %118 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %119 = stablehlo.select %116, %117, %118 : tensor<61xi1>, tensor<61xf64>
  %120 = stablehlo.abs %119 : tensor<61xf64>
  %cst_34 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
  %121 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %122 = stablehlo.compare LT, %120, %121, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_35 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
  %123 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %124 = stablehlo.select %122, %123, %119 : tensor<61xi1>, tensor<61xf64>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %125 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %c_37 = stablehlo.constant dense<1> : tensor<i64>
  %c_38 = stablehlo.constant dense<true> : tensor<i1>
  %126:8 = stablehlo.while(%iterArg = %109, %iterArg_90 = %110, %iterArg_91 = %113, %iterArg_92 = %c_37, %iterArg_93 = %c_38, %iterArg_94 = %124, %iterArg_95 = %125, %iterArg_96 = %124) : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<i64>, tensor<i1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c_97 = stablehlo.constant dense<600> : tensor<i64>
    %377 = stablehlo.compare LT, %iterArg_92, %c_97, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %378 = stablehlo.and %377, %iterArg_93 : tensor<i1>
    stablehlo.return %378 : tensor<i1>
  } do {
    %377 = stablehlo.broadcast_in_dim %iterArg_92, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_97 = stablehlo.constant dense<2> : tensor<i64>
    %378 = stablehlo.broadcast_in_dim %c_97, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %379 = func.call @f64_rule.remainder(%377, %378) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_98 = stablehlo.constant dense<0> : tensor<i64>
    %380 = stablehlo.broadcast_in_dim %c_98, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %381 = stablehlo.compare EQ, %379, %380, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_99 = stablehlo.constant dense<1> : tensor<i64>
    %382 = stablehlo.broadcast_in_dim %c_99, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %383 = stablehlo.compare EQ, %377, %382, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %c_100 = stablehlo.constant dense<1> : tensor<i64>
    %384 = stablehlo.broadcast_in_dim %c_100, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %385 = stablehlo.subtract %377, %384 : tensor<61xi64>
    %c_101 = stablehlo.constant dense<2> : tensor<i64>
    %386 = stablehlo.broadcast_in_dim %c_101, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %387 = func.call @f64_rule.floor_divide(%385, %386) : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
    %c_102 = stablehlo.constant dense<0> : tensor<i64>
    %388 = stablehlo.broadcast_in_dim %c_102, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %389 = stablehlo.compare EQ, %387, %388, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %390 = stablehlo.convert %387 : (tensor<61xi64>) -> tensor<61xf64>
    %cst_103 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %391 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %cst_104 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %392 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %393 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf64>
    %394 = stablehlo.negate %393 : tensor<61xf64>
    %395 = stablehlo.multiply %394, %iterArg_91 : tensor<61xf64>
    %396 = stablehlo.add %iterArg, %391 : tensor<61xf64>
    %397 = stablehlo.divide %395, %396 : tensor<61xf64>
    %398 = stablehlo.add %iterArg, %390 : tensor<61xf64>
    %399 = stablehlo.negate %398 : tensor<61xf64>
    %400 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf64>
    %401 = stablehlo.add %400, %390 : tensor<61xf64>
    %402 = stablehlo.multiply %399, %401 : tensor<61xf64>
    %403 = stablehlo.multiply %402, %iterArg_91 : tensor<61xf64>
    %404 = stablehlo.multiply %392, %390 : tensor<61xf64>
    %405 = stablehlo.add %iterArg, %404 : tensor<61xf64>
    %406 = stablehlo.multiply %392, %390 : tensor<61xf64>
    %407 = stablehlo.add %iterArg, %406 : tensor<61xf64>
    %408 = stablehlo.add %407, %391 : tensor<61xf64>
    %409 = stablehlo.multiply %405, %408 : tensor<61xf64>
    %410 = stablehlo.divide %403, %409 : tensor<61xf64>
    %411 = stablehlo.select %389, %397, %410 : tensor<61xi1>, tensor<61xf64>
    %412 = stablehlo.subtract %iterArg_90, %390 : tensor<61xf64>
    %413 = stablehlo.multiply %390, %412 : tensor<61xf64>
    %414 = stablehlo.multiply %413, %iterArg_91 : tensor<61xf64>
    %415 = stablehlo.multiply %392, %390 : tensor<61xf64>
    %416 = stablehlo.add %iterArg, %415 : tensor<61xf64>
    %417 = stablehlo.subtract %416, %391 : tensor<61xf64>
    %418 = stablehlo.multiply %392, %390 : tensor<61xf64>
    %419 = stablehlo.add %iterArg, %418 : tensor<61xf64>
    %420 = stablehlo.multiply %417, %419 : tensor<61xf64>
    %421 = stablehlo.divide %414, %420 : tensor<61xf64>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %422 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %423 = stablehlo.select %381, %411, %421 : tensor<61xi1>, tensor<61xf64>
    %424 = stablehlo.select %383, %422, %423 : tensor<61xi1>, tensor<61xf64>
    %425 = stablehlo.broadcast_in_dim %iterArg_92, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %c_106 = stablehlo.constant dense<0> : tensor<i64>
    %426 = stablehlo.broadcast_in_dim %c_106, dims = [] : (tensor<i64>) -> tensor<61xi64>
    %427 = stablehlo.compare EQ, %425, %426, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %428 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %429 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %430 = stablehlo.select %427, %428, %429 : tensor<61xi1>, tensor<61xf64>
    %431 = stablehlo.divide %424, %iterArg_94 : tensor<61xf64>
    %432 = stablehlo.add %430, %431 : tensor<61xf64>
    %cst_109 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
    %433 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %434 = stablehlo.abs %432 : tensor<61xf64>
    %435 = stablehlo.compare LT, %434, %433, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %436 = stablehlo.select %435, %433, %432 : tensor<61xi1>, tensor<61xf64>
    %437 = stablehlo.multiply %424, %iterArg_95 : tensor<61xf64>
    %438 = stablehlo.add %430, %437 : tensor<61xf64>
    %439 = stablehlo.abs %438 : tensor<61xf64>
    %440 = stablehlo.compare LT, %439, %433, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %441 = stablehlo.select %440, %433, %438 : tensor<61xi1>, tensor<61xf64>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %442 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %443 = stablehlo.divide %442, %441 : tensor<61xf64>
    %444 = stablehlo.multiply %436, %443 : tensor<61xf64>
    %445 = stablehlo.multiply %iterArg_96, %444 : tensor<61xf64>
    %c_111 = stablehlo.constant dense<1> : tensor<i64>
    %446 = stablehlo.add %iterArg_92, %c_111 : tensor<i64>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %447 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %448 = stablehlo.subtract %444, %447 : tensor<61xf64>
    %449 = stablehlo.abs %448 : tensor<61xf64>
    %cst_113 = stablehlo.constant dense<1.1102230246251565E-16> : tensor<f64>
    %450 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %451 = stablehlo.compare GE, %449, %450, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %c_114 = stablehlo.constant dense<false> : tensor<i1>
    %452 = stablehlo.reduce(%451 init: %c_114) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %446, %452, %436, %443, %445 : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<i64>, tensor<i1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %127 = chlo.lgamma %110 : tensor<61xf64> -> tensor<61xf64>
  %128 = stablehlo.add %109, %110 : tensor<61xf64>
  %129 = chlo.lgamma %128 : tensor<61xf64> -> tensor<61xf64>
  %130 = stablehlo.subtract %127, %129 : tensor<61xf64>
  %131 = chlo.lgamma %109 : tensor<61xf64> -> tensor<61xf64>
  %132 = stablehlo.add %131, %130 : tensor<61xf64>
  %cst_39 = stablehlo.constant dense<4.4501477170144028E-308> : tensor<f64>
  %133 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %134 = stablehlo.compare LT, %109, %133, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %135 = stablehlo.negate %113 : tensor<61xf64>
  %136 = stablehlo.log_plus_one %135 : tensor<61xf64>
  %137 = stablehlo.multiply %136, %110 : tensor<61xf64>
  %138 = stablehlo.subtract %137, %130 : tensor<61xf64>
  %139 = stablehlo.exponential %138 : tensor<61xf64>
  %140 = stablehlo.log %113 : tensor<61xf64>
  %141 = stablehlo.multiply %140, %109 : tensor<61xf64>
  %142 = stablehlo.negate %113 : tensor<61xf64>
  %143 = stablehlo.log_plus_one %142 : tensor<61xf64>
  %144 = stablehlo.multiply %143, %110 : tensor<61xf64>
  %145 = stablehlo.add %141, %144 : tensor<61xf64>
  %146 = stablehlo.subtract %145, %132 : tensor<61xf64>
  %147 = stablehlo.exponential %146 : tensor<61xf64>
  %148 = stablehlo.divide %147, %109 : tensor<61xf64>
  %149 = stablehlo.select %134, %139, %148 : tensor<61xi1>, tensor<61xf64>
  %150 = stablehlo.multiply %126#7, %149 : tensor<61xf64>
  %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %151 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %152 = stablehlo.subtract %151, %150 : tensor<61xf64>
  %153 = stablehlo.select %108, %150, %152 : tensor<61xi1>, tensor<61xf64>
  %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %154 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %155 = stablehlo.select %84, %154, %153 : tensor<61xi1>, tensor<61xf64>
  %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %156 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %157 = stablehlo.select %87, %156, %155 : tensor<61xi1>, tensor<61xf64>
  %cst_43 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %158 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %159 = stablehlo.select %101, %158, %157 : tensor<61xi1>, tensor<61xf64>
  %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %160 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %161 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %162 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %163 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %164 = stablehlo.add %28, %163 : tensor<61xf64>
  %165 = stablehlo.add %28, %29 : tensor<61xf64>
  %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %166 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %167 = stablehlo.add %165, %166 : tensor<61xf64>
  %168 = stablehlo.divide %164, %167 : tensor<61xf64>
  %169 = stablehlo.compare GT, %30, %168, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %170 = stablehlo.log %30 : tensor<61xf64>
  %171 = stablehlo.divide %162, %30 : tensor<61xf64>
  %172 = stablehlo.multiply %28, %170 : tensor<61xf64>
  %173 = stablehlo.multiply %160, %170 : tensor<61xf64>
  %174 = stablehlo.multiply %28, %171 : tensor<61xf64>
  %175 = stablehlo.add %173, %174 : tensor<61xf64>
  %176 = stablehlo.negate %30 : tensor<61xf64>
  %177 = stablehlo.negate %162 : tensor<61xf64>
  %178 = stablehlo.log_plus_one %176 : tensor<61xf64>
  %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %179 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %180 = stablehlo.add %176, %179 : tensor<61xf64>
  %181 = stablehlo.divide %177, %180 : tensor<61xf64>
  %182 = stablehlo.multiply %29, %178 : tensor<61xf64>
  %183 = stablehlo.multiply %161, %178 : tensor<61xf64>
  %184 = stablehlo.multiply %29, %181 : tensor<61xf64>
  %185 = stablehlo.add %183, %184 : tensor<61xf64>
  %186 = stablehlo.add %172, %182 : tensor<61xf64>
  %187 = stablehlo.add %175, %185 : tensor<61xf64>
  %188 = chlo.lgamma %28 : tensor<61xf64> -> tensor<61xf64>
  %189 = chlo.digamma %28 : tensor<61xf64> -> tensor<61xf64>
  %190 = stablehlo.multiply %160, %189 : tensor<61xf64>
  %191 = chlo.lgamma %29 : tensor<61xf64> -> tensor<61xf64>
  %192 = chlo.digamma %29 : tensor<61xf64> -> tensor<61xf64>
  %193 = stablehlo.multiply %161, %192 : tensor<61xf64>
  %194 = stablehlo.add %188, %191 : tensor<61xf64>
  %195 = stablehlo.add %190, %193 : tensor<61xf64>
  %196 = stablehlo.add %28, %29 : tensor<61xf64>
  %197 = stablehlo.add %160, %161 : tensor<61xf64>
  %198 = chlo.lgamma %196 : tensor<61xf64> -> tensor<61xf64>
  %199 = chlo.digamma %196 : tensor<61xf64> -> tensor<61xf64>
  %200 = stablehlo.multiply %197, %199 : tensor<61xf64>
  %201 = stablehlo.subtract %194, %198 : tensor<61xf64>
  %202 = stablehlo.subtract %195, %200 : tensor<61xf64>
  %203 = stablehlo.subtract %186, %201 : tensor<61xf64>
  %204 = stablehlo.subtract %187, %202 : tensor<61xf64>
  %205 = stablehlo.exponential %203 : tensor<61xf64>
  %206 = stablehlo.multiply %204, %205 : tensor<61xf64>
  %207:2 = call @f64_rule._where_4(%169, %29, %28, %161, %160) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %208:2 = call @f64_rule._where_4(%169, %28, %29, %160, %161) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %209 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %210 = stablehlo.subtract %209, %30 : tensor<61xf64>
  %211 = stablehlo.negate %162 : tensor<61xf64>
  %212:2 = call @f64_rule._where_4(%169, %210, %30, %211, %162) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %213 = stablehlo.add %207#0, %208#0 : tensor<61xf64>
  %214 = stablehlo.add %207#1, %208#1 : tensor<61xf64>
  %215 = stablehlo.multiply %213, %212#0 : tensor<61xf64>
  %216 = stablehlo.multiply %214, %212#0 : tensor<61xf64>
  %217 = stablehlo.multiply %213, %212#1 : tensor<61xf64>
  %218 = stablehlo.add %216, %217 : tensor<61xf64>
  %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %219 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %220 = stablehlo.add %207#0, %219 : tensor<61xf64>
  %221 = stablehlo.divide %215, %220 : tensor<61xf64>
  %222 = stablehlo.divide %218, %220 : tensor<61xf64>
  %223 = stablehlo.negate %207#1 : tensor<61xf64>
  %224 = stablehlo.multiply %223, %215 : tensor<61xf64>
  %225 = stablehlo.multiply %220, %220 : tensor<61xf64>
  %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %226 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %227 = stablehlo.divide %226, %225 : tensor<61xf64>
  %228 = stablehlo.multiply %224, %227 : tensor<61xf64>
  %229 = stablehlo.add %222, %228 : tensor<61xf64>
  %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %230 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %231 = stablehlo.subtract %230, %221 : tensor<61xf64>
  %232 = stablehlo.negate %229 : tensor<61xf64>
  %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %233 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %234 = stablehlo.compare EQ, %231, %233, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_55 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
  %235:2 = call @f64_rule._where_5(%234, %cst_55, %231, %232) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %236 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %237 = stablehlo.divide %236, %235#0 : tensor<61xf64>
  %238 = stablehlo.negate %235#1 : tensor<61xf64>
  %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %239 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %240 = stablehlo.multiply %238, %239 : tensor<61xf64>
  %241 = stablehlo.multiply %235#0, %235#0 : tensor<61xf64>
  %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %242 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %243 = stablehlo.divide %242, %241 : tensor<61xf64>
  %244 = stablehlo.multiply %240, %243 : tensor<61xf64>
  %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %245 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %246 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %247 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %248 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %249:15 = stablehlo.while(%iterArg = %207#0, %iterArg_90 = %208#0, %iterArg_91 = %212#0, %iterArg_92 = %207#1, %iterArg_93 = %208#1, %iterArg_94 = %212#1, %iterArg_95 = %cst_63, %iterArg_96 = %245, %iterArg_97 = %237, %iterArg_98 = %237, %iterArg_99 = %246, %iterArg_100 = %247, %iterArg_101 = %244, %iterArg_102 = %244, %iterArg_103 = %248) : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %377 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %378 = stablehlo.subtract %iterArg_99, %377 : tensor<61xf64>
    %379 = stablehlo.abs %378 : tensor<61xf64>
    %cst_105 = stablehlo.constant dense<8.8817841970012523E-16> : tensor<f64>
    %380 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %381 = stablehlo.compare GT, %379, %380, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %c_106 = stablehlo.constant dense<false> : tensor<i1>
    %382 = stablehlo.reduce(%381 init: %c_106) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %cst_107 = stablehlo.constant dense<3.000000e+04> : tensor<f64>
    %383 = stablehlo.compare LT, %iterArg_95, %cst_107, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %384 = stablehlo.and %382, %383 : tensor<i1>
    stablehlo.return %384 : tensor<i1>
  } do {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %377 = stablehlo.add %iterArg_95, %cst_104 : tensor<f64>
    %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %378 = stablehlo.multiply %cst_105, %377 : tensor<f64>
    %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %380 = stablehlo.add %iterArg, %379 : tensor<61xf64>
    %381 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %382 = stablehlo.subtract %iterArg_90, %381 : tensor<61xf64>
    %383 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %384 = stablehlo.multiply %383, %382 : tensor<61xf64>
    %385 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %386 = stablehlo.multiply %385, %iterArg_93 : tensor<61xf64>
    %387 = stablehlo.multiply %384, %iterArg_91 : tensor<61xf64>
    %388 = stablehlo.multiply %386, %iterArg_91 : tensor<61xf64>
    %389 = stablehlo.multiply %384, %iterArg_94 : tensor<61xf64>
    %390 = stablehlo.add %388, %389 : tensor<61xf64>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %391 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %392 = stablehlo.subtract %380, %391 : tensor<61xf64>
    %393 = stablehlo.multiply %392, %380 : tensor<61xf64>
    %394 = stablehlo.multiply %iterArg_92, %380 : tensor<61xf64>
    %395 = stablehlo.multiply %392, %iterArg_92 : tensor<61xf64>
    %396 = stablehlo.add %394, %395 : tensor<61xf64>
    %397 = stablehlo.divide %387, %393 : tensor<61xf64>
    %398 = stablehlo.divide %390, %393 : tensor<61xf64>
    %399 = stablehlo.negate %396 : tensor<61xf64>
    %400 = stablehlo.multiply %399, %387 : tensor<61xf64>
    %401 = stablehlo.multiply %393, %393 : tensor<61xf64>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %402 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %403 = stablehlo.divide %402, %401 : tensor<61xf64>
    %404 = stablehlo.multiply %400, %403 : tensor<61xf64>
    %405 = stablehlo.add %398, %404 : tensor<61xf64>
    %406 = stablehlo.divide %397, %iterArg_96 : tensor<61xf64>
    %407 = stablehlo.divide %405, %iterArg_96 : tensor<61xf64>
    %408 = stablehlo.negate %iterArg_100 : tensor<61xf64>
    %409 = stablehlo.multiply %408, %397 : tensor<61xf64>
    %410 = stablehlo.multiply %iterArg_96, %iterArg_96 : tensor<61xf64>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %411 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %412 = stablehlo.divide %411, %410 : tensor<61xf64>
    %413 = stablehlo.multiply %409, %412 : tensor<61xf64>
    %414 = stablehlo.add %407, %413 : tensor<61xf64>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %415 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %416 = stablehlo.add %415, %406 : tensor<61xf64>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %417 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %418 = stablehlo.compare EQ, %416, %417, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_111 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %419:2 = func.call @f64_rule._where_6(%418, %cst_111, %416, %414) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %420 = stablehlo.multiply %397, %iterArg_97 : tensor<61xf64>
    %421 = stablehlo.multiply %405, %iterArg_97 : tensor<61xf64>
    %422 = stablehlo.multiply %397, %iterArg_101 : tensor<61xf64>
    %423 = stablehlo.add %421, %422 : tensor<61xf64>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %424 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %425 = stablehlo.add %424, %420 : tensor<61xf64>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %426 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %427 = stablehlo.compare EQ, %425, %426, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_114 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %428:2 = func.call @f64_rule._where_6(%427, %cst_114, %425, %423) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %429 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %430 = stablehlo.divide %429, %428#0 : tensor<61xf64>
    %431 = stablehlo.negate %428#1 : tensor<61xf64>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %432 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %433 = stablehlo.multiply %431, %432 : tensor<61xf64>
    %434 = stablehlo.multiply %428#0, %428#0 : tensor<61xf64>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %435 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %436 = stablehlo.divide %435, %434 : tensor<61xf64>
    %437 = stablehlo.multiply %433, %436 : tensor<61xf64>
    %438 = stablehlo.multiply %419#0, %430 : tensor<61xf64>
    %439 = stablehlo.multiply %419#1, %430 : tensor<61xf64>
    %440 = stablehlo.multiply %419#0, %437 : tensor<61xf64>
    %441 = stablehlo.add %439, %440 : tensor<61xf64>
    %442 = stablehlo.multiply %iterArg_98, %438 : tensor<61xf64>
    %443 = stablehlo.multiply %iterArg_102, %438 : tensor<61xf64>
    %444 = stablehlo.multiply %iterArg_98, %441 : tensor<61xf64>
    %445 = stablehlo.add %443, %444 : tensor<61xf64>
    %446 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %447 = stablehlo.add %iterArg, %446 : tensor<61xf64>
    %448 = stablehlo.negate %447 : tensor<61xf64>
    %449 = stablehlo.negate %iterArg_92 : tensor<61xf64>
    %450 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf64>
    %451 = stablehlo.add %iterArg_92, %iterArg_93 : tensor<61xf64>
    %452 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %453 = stablehlo.add %450, %452 : tensor<61xf64>
    %454 = stablehlo.multiply %448, %453 : tensor<61xf64>
    %455 = stablehlo.multiply %449, %453 : tensor<61xf64>
    %456 = stablehlo.multiply %448, %451 : tensor<61xf64>
    %457 = stablehlo.add %455, %456 : tensor<61xf64>
    %458 = stablehlo.multiply %454, %iterArg_91 : tensor<61xf64>
    %459 = stablehlo.multiply %457, %iterArg_91 : tensor<61xf64>
    %460 = stablehlo.multiply %454, %iterArg_94 : tensor<61xf64>
    %461 = stablehlo.add %459, %460 : tensor<61xf64>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %462 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %463 = stablehlo.add %380, %462 : tensor<61xf64>
    %464 = stablehlo.multiply %380, %463 : tensor<61xf64>
    %465 = stablehlo.multiply %iterArg_92, %463 : tensor<61xf64>
    %466 = stablehlo.multiply %380, %iterArg_92 : tensor<61xf64>
    %467 = stablehlo.add %465, %466 : tensor<61xf64>
    %468 = stablehlo.divide %458, %464 : tensor<61xf64>
    %469 = stablehlo.divide %461, %464 : tensor<61xf64>
    %470 = stablehlo.negate %467 : tensor<61xf64>
    %471 = stablehlo.multiply %470, %458 : tensor<61xf64>
    %472 = stablehlo.multiply %464, %464 : tensor<61xf64>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %473 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %474 = stablehlo.divide %473, %472 : tensor<61xf64>
    %475 = stablehlo.multiply %471, %474 : tensor<61xf64>
    %476 = stablehlo.add %469, %475 : tensor<61xf64>
    %477 = stablehlo.divide %468, %419#0 : tensor<61xf64>
    %478 = stablehlo.divide %476, %419#0 : tensor<61xf64>
    %479 = stablehlo.negate %419#1 : tensor<61xf64>
    %480 = stablehlo.multiply %479, %468 : tensor<61xf64>
    %481 = stablehlo.multiply %419#0, %419#0 : tensor<61xf64>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %482 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %483 = stablehlo.divide %482, %481 : tensor<61xf64>
    %484 = stablehlo.multiply %480, %483 : tensor<61xf64>
    %485 = stablehlo.add %478, %484 : tensor<61xf64>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %486 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %487 = stablehlo.add %486, %477 : tensor<61xf64>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %488 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %489 = stablehlo.compare EQ, %487, %488, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_123 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %490:2 = func.call @f64_rule._where_6(%489, %cst_123, %487, %485) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %491 = stablehlo.multiply %468, %430 : tensor<61xf64>
    %492 = stablehlo.multiply %476, %430 : tensor<61xf64>
    %493 = stablehlo.multiply %468, %437 : tensor<61xf64>
    %494 = stablehlo.add %492, %493 : tensor<61xf64>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %495 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %496 = stablehlo.add %495, %491 : tensor<61xf64>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %497 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %498 = stablehlo.compare EQ, %496, %497, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_126 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %499:2 = func.call @f64_rule._where_6(%498, %cst_126, %496, %494) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %500 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %501 = stablehlo.divide %500, %499#0 : tensor<61xf64>
    %502 = stablehlo.negate %499#1 : tensor<61xf64>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %503 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %504 = stablehlo.multiply %502, %503 : tensor<61xf64>
    %505 = stablehlo.multiply %499#0, %499#0 : tensor<61xf64>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %506 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %507 = stablehlo.divide %506, %505 : tensor<61xf64>
    %508 = stablehlo.multiply %504, %507 : tensor<61xf64>
    %509 = stablehlo.multiply %490#0, %501 : tensor<61xf64>
    %510 = stablehlo.multiply %490#1, %501 : tensor<61xf64>
    %511 = stablehlo.multiply %490#0, %508 : tensor<61xf64>
    %512 = stablehlo.add %510, %511 : tensor<61xf64>
    %513 = stablehlo.multiply %442, %509 : tensor<61xf64>
    %514 = stablehlo.multiply %445, %509 : tensor<61xf64>
    %515 = stablehlo.multiply %442, %512 : tensor<61xf64>
    %516 = stablehlo.add %514, %515 : tensor<61xf64>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %377, %490#0, %501, %513, %509, %490#1, %508, %516, %512 : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %250 = stablehlo.divide %205, %207#0 : tensor<61xf64>
  %251 = stablehlo.divide %206, %207#0 : tensor<61xf64>
  %252 = stablehlo.negate %207#1 : tensor<61xf64>
  %253 = stablehlo.multiply %252, %205 : tensor<61xf64>
  %254 = stablehlo.multiply %207#0, %207#0 : tensor<61xf64>
  %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %255 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %256 = stablehlo.divide %255, %254 : tensor<61xf64>
  %257 = stablehlo.multiply %253, %256 : tensor<61xf64>
  %258 = stablehlo.add %251, %257 : tensor<61xf64>
  %259 = stablehlo.multiply %258, %249#9 : tensor<61xf64>
  %260 = stablehlo.multiply %250, %249#13 : tensor<61xf64>
  %261 = stablehlo.add %259, %260 : tensor<61xf64>
  %262 = stablehlo.negate %261 : tensor<61xf64>
  %263 = call @f64_rule._where_7(%169, %262, %261) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %c_65 = stablehlo.constant dense<0> : tensor<i64>
  %cst_66 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %264 = call @f64_rule._where_8(%27, %c_65, %cst_66) : (tensor<61xi1>, tensor<i64>, tensor<f64>) -> tensor<61xf64>
  %265 = call @f64_rule._where_9(%16, %263, %264) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %266 = stablehlo.multiply %arg3, %265 : tensor<61xf64>
  %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %267 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %268 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %269 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %270 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %271 = stablehlo.add %28, %270 : tensor<61xf64>
  %272 = stablehlo.add %28, %29 : tensor<61xf64>
  %cst_71 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %273 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %274 = stablehlo.add %272, %273 : tensor<61xf64>
  %275 = stablehlo.divide %271, %274 : tensor<61xf64>
  %276 = stablehlo.compare GT, %30, %275, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %277 = stablehlo.log %30 : tensor<61xf64>
  %278 = stablehlo.divide %269, %30 : tensor<61xf64>
  %279 = stablehlo.multiply %28, %277 : tensor<61xf64>
  %280 = stablehlo.multiply %267, %277 : tensor<61xf64>
  %281 = stablehlo.multiply %28, %278 : tensor<61xf64>
  %282 = stablehlo.add %280, %281 : tensor<61xf64>
  %283 = stablehlo.negate %30 : tensor<61xf64>
  %284 = stablehlo.negate %269 : tensor<61xf64>
  %285 = stablehlo.log_plus_one %283 : tensor<61xf64>
  %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %286 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %287 = stablehlo.add %283, %286 : tensor<61xf64>
  %288 = stablehlo.divide %284, %287 : tensor<61xf64>
  %289 = stablehlo.multiply %29, %285 : tensor<61xf64>
  %290 = stablehlo.multiply %268, %285 : tensor<61xf64>
  %291 = stablehlo.multiply %29, %288 : tensor<61xf64>
  %292 = stablehlo.add %290, %291 : tensor<61xf64>
  %293 = stablehlo.add %279, %289 : tensor<61xf64>
  %294 = stablehlo.add %282, %292 : tensor<61xf64>
  %295 = chlo.lgamma %28 : tensor<61xf64> -> tensor<61xf64>
  %296 = chlo.digamma %28 : tensor<61xf64> -> tensor<61xf64>
  %297 = stablehlo.multiply %267, %296 : tensor<61xf64>
  %298 = chlo.lgamma %29 : tensor<61xf64> -> tensor<61xf64>
  %299 = chlo.digamma %29 : tensor<61xf64> -> tensor<61xf64>
  %300 = stablehlo.multiply %268, %299 : tensor<61xf64>
  %301 = stablehlo.add %295, %298 : tensor<61xf64>
  %302 = stablehlo.add %297, %300 : tensor<61xf64>
  %303 = stablehlo.add %28, %29 : tensor<61xf64>
  %304 = stablehlo.add %267, %268 : tensor<61xf64>
  %305 = chlo.lgamma %303 : tensor<61xf64> -> tensor<61xf64>
  %306 = chlo.digamma %303 : tensor<61xf64> -> tensor<61xf64>
  %307 = stablehlo.multiply %304, %306 : tensor<61xf64>
  %308 = stablehlo.subtract %301, %305 : tensor<61xf64>
  %309 = stablehlo.subtract %302, %307 : tensor<61xf64>
  %310 = stablehlo.subtract %293, %308 : tensor<61xf64>
  %311 = stablehlo.subtract %294, %309 : tensor<61xf64>
  %312 = stablehlo.exponential %310 : tensor<61xf64>
  %313 = stablehlo.multiply %311, %312 : tensor<61xf64>
  %314:2 = call @f64_rule._where_4(%276, %29, %28, %268, %267) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %315:2 = call @f64_rule._where_4(%276, %28, %29, %267, %268) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %316 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %317 = stablehlo.subtract %316, %30 : tensor<61xf64>
  %318 = stablehlo.negate %269 : tensor<61xf64>
  %319:2 = call @f64_rule._where_4(%276, %317, %30, %318, %269) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %320 = stablehlo.add %314#0, %315#0 : tensor<61xf64>
  %321 = stablehlo.add %314#1, %315#1 : tensor<61xf64>
  %322 = stablehlo.multiply %320, %319#0 : tensor<61xf64>
  %323 = stablehlo.multiply %321, %319#0 : tensor<61xf64>
  %324 = stablehlo.multiply %320, %319#1 : tensor<61xf64>
  %325 = stablehlo.add %323, %324 : tensor<61xf64>
  %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %326 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %327 = stablehlo.add %314#0, %326 : tensor<61xf64>
  %328 = stablehlo.divide %322, %327 : tensor<61xf64>
  %329 = stablehlo.divide %325, %327 : tensor<61xf64>
  %330 = stablehlo.negate %314#1 : tensor<61xf64>
  %331 = stablehlo.multiply %330, %322 : tensor<61xf64>
  %332 = stablehlo.multiply %327, %327 : tensor<61xf64>
  %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %333 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %334 = stablehlo.divide %333, %332 : tensor<61xf64>
  %335 = stablehlo.multiply %331, %334 : tensor<61xf64>
  %336 = stablehlo.add %329, %335 : tensor<61xf64>
  %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %337 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %338 = stablehlo.subtract %337, %328 : tensor<61xf64>
  %339 = stablehlo.negate %336 : tensor<61xf64>
  %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %340 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %341 = stablehlo.compare EQ, %338, %340, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_78 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
  %342:2 = call @f64_rule._where_5(%341, %cst_78, %338, %339) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %343 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %344 = stablehlo.divide %343, %342#0 : tensor<61xf64>
  %345 = stablehlo.negate %342#1 : tensor<61xf64>
  %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %346 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %347 = stablehlo.multiply %345, %346 : tensor<61xf64>
  %348 = stablehlo.multiply %342#0, %342#0 : tensor<61xf64>
  %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %349 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %350 = stablehlo.divide %349, %348 : tensor<61xf64>
  %351 = stablehlo.multiply %347, %350 : tensor<61xf64>
  %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %352 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_83 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %353 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %354 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %355 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %356:15 = stablehlo.while(%iterArg = %314#0, %iterArg_90 = %315#0, %iterArg_91 = %319#0, %iterArg_92 = %314#1, %iterArg_93 = %315#1, %iterArg_94 = %319#1, %iterArg_95 = %cst_86, %iterArg_96 = %352, %iterArg_97 = %344, %iterArg_98 = %344, %iterArg_99 = %353, %iterArg_100 = %354, %iterArg_101 = %351, %iterArg_102 = %351, %iterArg_103 = %355) : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %377 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %378 = stablehlo.subtract %iterArg_99, %377 : tensor<61xf64>
    %379 = stablehlo.abs %378 : tensor<61xf64>
    %cst_105 = stablehlo.constant dense<8.8817841970012523E-16> : tensor<f64>
    %380 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %381 = stablehlo.compare GT, %379, %380, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %c_106 = stablehlo.constant dense<false> : tensor<i1>
    %382 = stablehlo.reduce(%381 init: %c_106) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %cst_107 = stablehlo.constant dense<3.000000e+04> : tensor<f64>
    %383 = stablehlo.compare LT, %iterArg_95, %cst_107, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %384 = stablehlo.and %382, %383 : tensor<i1>
    stablehlo.return %384 : tensor<i1>
  } do {
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %377 = stablehlo.add %iterArg_95, %cst_104 : tensor<f64>
    %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %378 = stablehlo.multiply %cst_105, %377 : tensor<f64>
    %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %380 = stablehlo.add %iterArg, %379 : tensor<61xf64>
    %381 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %382 = stablehlo.subtract %iterArg_90, %381 : tensor<61xf64>
    %383 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %384 = stablehlo.multiply %383, %382 : tensor<61xf64>
    %385 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %386 = stablehlo.multiply %385, %iterArg_93 : tensor<61xf64>
    %387 = stablehlo.multiply %384, %iterArg_91 : tensor<61xf64>
    %388 = stablehlo.multiply %386, %iterArg_91 : tensor<61xf64>
    %389 = stablehlo.multiply %384, %iterArg_94 : tensor<61xf64>
    %390 = stablehlo.add %388, %389 : tensor<61xf64>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %391 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %392 = stablehlo.subtract %380, %391 : tensor<61xf64>
    %393 = stablehlo.multiply %392, %380 : tensor<61xf64>
    %394 = stablehlo.multiply %iterArg_92, %380 : tensor<61xf64>
    %395 = stablehlo.multiply %392, %iterArg_92 : tensor<61xf64>
    %396 = stablehlo.add %394, %395 : tensor<61xf64>
    %397 = stablehlo.divide %387, %393 : tensor<61xf64>
    %398 = stablehlo.divide %390, %393 : tensor<61xf64>
    %399 = stablehlo.negate %396 : tensor<61xf64>
    %400 = stablehlo.multiply %399, %387 : tensor<61xf64>
    %401 = stablehlo.multiply %393, %393 : tensor<61xf64>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %402 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %403 = stablehlo.divide %402, %401 : tensor<61xf64>
    %404 = stablehlo.multiply %400, %403 : tensor<61xf64>
    %405 = stablehlo.add %398, %404 : tensor<61xf64>
    %406 = stablehlo.divide %397, %iterArg_96 : tensor<61xf64>
    %407 = stablehlo.divide %405, %iterArg_96 : tensor<61xf64>
    %408 = stablehlo.negate %iterArg_100 : tensor<61xf64>
    %409 = stablehlo.multiply %408, %397 : tensor<61xf64>
    %410 = stablehlo.multiply %iterArg_96, %iterArg_96 : tensor<61xf64>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %411 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %412 = stablehlo.divide %411, %410 : tensor<61xf64>
    %413 = stablehlo.multiply %409, %412 : tensor<61xf64>
    %414 = stablehlo.add %407, %413 : tensor<61xf64>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %415 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %416 = stablehlo.add %415, %406 : tensor<61xf64>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %417 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %418 = stablehlo.compare EQ, %416, %417, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_111 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %419:2 = func.call @f64_rule._where_6(%418, %cst_111, %416, %414) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %420 = stablehlo.multiply %397, %iterArg_97 : tensor<61xf64>
    %421 = stablehlo.multiply %405, %iterArg_97 : tensor<61xf64>
    %422 = stablehlo.multiply %397, %iterArg_101 : tensor<61xf64>
    %423 = stablehlo.add %421, %422 : tensor<61xf64>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %424 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %425 = stablehlo.add %424, %420 : tensor<61xf64>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %426 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %427 = stablehlo.compare EQ, %425, %426, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_114 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %428:2 = func.call @f64_rule._where_6(%427, %cst_114, %425, %423) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %429 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %430 = stablehlo.divide %429, %428#0 : tensor<61xf64>
    %431 = stablehlo.negate %428#1 : tensor<61xf64>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %432 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %433 = stablehlo.multiply %431, %432 : tensor<61xf64>
    %434 = stablehlo.multiply %428#0, %428#0 : tensor<61xf64>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %435 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %436 = stablehlo.divide %435, %434 : tensor<61xf64>
    %437 = stablehlo.multiply %433, %436 : tensor<61xf64>
    %438 = stablehlo.multiply %419#0, %430 : tensor<61xf64>
    %439 = stablehlo.multiply %419#1, %430 : tensor<61xf64>
    %440 = stablehlo.multiply %419#0, %437 : tensor<61xf64>
    %441 = stablehlo.add %439, %440 : tensor<61xf64>
    %442 = stablehlo.multiply %iterArg_98, %438 : tensor<61xf64>
    %443 = stablehlo.multiply %iterArg_102, %438 : tensor<61xf64>
    %444 = stablehlo.multiply %iterArg_98, %441 : tensor<61xf64>
    %445 = stablehlo.add %443, %444 : tensor<61xf64>
    %446 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %447 = stablehlo.add %iterArg, %446 : tensor<61xf64>
    %448 = stablehlo.negate %447 : tensor<61xf64>
    %449 = stablehlo.negate %iterArg_92 : tensor<61xf64>
    %450 = stablehlo.add %iterArg, %iterArg_90 : tensor<61xf64>
    %451 = stablehlo.add %iterArg_92, %iterArg_93 : tensor<61xf64>
    %452 = stablehlo.broadcast_in_dim %377, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %453 = stablehlo.add %450, %452 : tensor<61xf64>
    %454 = stablehlo.multiply %448, %453 : tensor<61xf64>
    %455 = stablehlo.multiply %449, %453 : tensor<61xf64>
    %456 = stablehlo.multiply %448, %451 : tensor<61xf64>
    %457 = stablehlo.add %455, %456 : tensor<61xf64>
    %458 = stablehlo.multiply %454, %iterArg_91 : tensor<61xf64>
    %459 = stablehlo.multiply %457, %iterArg_91 : tensor<61xf64>
    %460 = stablehlo.multiply %454, %iterArg_94 : tensor<61xf64>
    %461 = stablehlo.add %459, %460 : tensor<61xf64>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %462 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %463 = stablehlo.add %380, %462 : tensor<61xf64>
    %464 = stablehlo.multiply %380, %463 : tensor<61xf64>
    %465 = stablehlo.multiply %iterArg_92, %463 : tensor<61xf64>
    %466 = stablehlo.multiply %380, %iterArg_92 : tensor<61xf64>
    %467 = stablehlo.add %465, %466 : tensor<61xf64>
    %468 = stablehlo.divide %458, %464 : tensor<61xf64>
    %469 = stablehlo.divide %461, %464 : tensor<61xf64>
    %470 = stablehlo.negate %467 : tensor<61xf64>
    %471 = stablehlo.multiply %470, %458 : tensor<61xf64>
    %472 = stablehlo.multiply %464, %464 : tensor<61xf64>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %473 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %474 = stablehlo.divide %473, %472 : tensor<61xf64>
    %475 = stablehlo.multiply %471, %474 : tensor<61xf64>
    %476 = stablehlo.add %469, %475 : tensor<61xf64>
    %477 = stablehlo.divide %468, %419#0 : tensor<61xf64>
    %478 = stablehlo.divide %476, %419#0 : tensor<61xf64>
    %479 = stablehlo.negate %419#1 : tensor<61xf64>
    %480 = stablehlo.multiply %479, %468 : tensor<61xf64>
    %481 = stablehlo.multiply %419#0, %419#0 : tensor<61xf64>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %482 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %483 = stablehlo.divide %482, %481 : tensor<61xf64>
    %484 = stablehlo.multiply %480, %483 : tensor<61xf64>
    %485 = stablehlo.add %478, %484 : tensor<61xf64>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %486 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %487 = stablehlo.add %486, %477 : tensor<61xf64>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %488 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %489 = stablehlo.compare EQ, %487, %488, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_123 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %490:2 = func.call @f64_rule._where_6(%489, %cst_123, %487, %485) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %491 = stablehlo.multiply %468, %430 : tensor<61xf64>
    %492 = stablehlo.multiply %476, %430 : tensor<61xf64>
    %493 = stablehlo.multiply %468, %437 : tensor<61xf64>
    %494 = stablehlo.add %492, %493 : tensor<61xf64>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %495 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %496 = stablehlo.add %495, %491 : tensor<61xf64>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %497 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %498 = stablehlo.compare EQ, %496, %497, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_126 = stablehlo.constant dense<1.000000e-30> : tensor<f64>
    %499:2 = func.call @f64_rule._where_6(%498, %cst_126, %496, %494) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %500 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %501 = stablehlo.divide %500, %499#0 : tensor<61xf64>
    %502 = stablehlo.negate %499#1 : tensor<61xf64>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %503 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %504 = stablehlo.multiply %502, %503 : tensor<61xf64>
    %505 = stablehlo.multiply %499#0, %499#0 : tensor<61xf64>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %506 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %507 = stablehlo.divide %506, %505 : tensor<61xf64>
    %508 = stablehlo.multiply %504, %507 : tensor<61xf64>
    %509 = stablehlo.multiply %490#0, %501 : tensor<61xf64>
    %510 = stablehlo.multiply %490#1, %501 : tensor<61xf64>
    %511 = stablehlo.multiply %490#0, %508 : tensor<61xf64>
    %512 = stablehlo.add %510, %511 : tensor<61xf64>
    %513 = stablehlo.multiply %442, %509 : tensor<61xf64>
    %514 = stablehlo.multiply %445, %509 : tensor<61xf64>
    %515 = stablehlo.multiply %442, %512 : tensor<61xf64>
    %516 = stablehlo.add %514, %515 : tensor<61xf64>
    stablehlo.return %iterArg, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %377, %490#0, %501, %513, %509, %490#1, %508, %516, %512 : tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %357 = stablehlo.divide %312, %314#0 : tensor<61xf64>
  %358 = stablehlo.divide %313, %314#0 : tensor<61xf64>
  %359 = stablehlo.negate %314#1 : tensor<61xf64>
  %360 = stablehlo.multiply %359, %312 : tensor<61xf64>
  %361 = stablehlo.multiply %314#0, %314#0 : tensor<61xf64>
  %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %362 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %363 = stablehlo.divide %362, %361 : tensor<61xf64>
  %364 = stablehlo.multiply %360, %363 : tensor<61xf64>
  %365 = stablehlo.add %358, %364 : tensor<61xf64>
  %366 = stablehlo.multiply %365, %356#9 : tensor<61xf64>
  %367 = stablehlo.multiply %357, %356#13 : tensor<61xf64>
  %368 = stablehlo.add %366, %367 : tensor<61xf64>
  %369 = stablehlo.negate %368 : tensor<61xf64>
  %370 = call @f64_rule._where_7(%276, %369, %368) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %c_88 = stablehlo.constant dense<0> : tensor<i64>
  %cst_89 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %371 = call @f64_rule._where_8(%27, %c_88, %cst_89) : (tensor<61xi1>, tensor<i64>, tensor<f64>) -> tensor<61xf64>
  %372 = call @f64_rule._where_9(%16, %370, %371) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %373 = stablehlo.multiply %arg4, %372 : tensor<61xf64>
  %374 = stablehlo.add %266, %373 : tensor<61xf64>
  %375 = stablehlo.multiply %arg5, %60 : tensor<61xf64>
  %376 = stablehlo.add %374, %375 : tensor<61xf64>
  return %159, %376 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<i64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<61xi1>, tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64_rule._where_0(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg2 : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<61xi1>, tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64_rule._where_1(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64_rule.remainder(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %c = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %3 = call @f64_rule._where_2(%1, %2, %arg1) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  %4 = stablehlo.remainder %arg0, %3 : tensor<61xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i64>
  %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_3 = stablehlo.constant dense<0> : tensor<i64>
  %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.and %11, %6 : tensor<61xi1>
  %13 = stablehlo.add %4, %3 : tensor<61xi64>
  %14 = stablehlo.select %12, %13, %4 : tensor<61xi1>, tensor<61xi64>
  return %14 : tensor<61xi64>
}
func.func private @f64_rule._where_2(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func private @f64_rule.floor_divide(%arg0: tensor<61xi64>, %arg1: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.divide %arg0, %arg1 : tensor<61xi64>
  %1 = stablehlo.sign %arg0 : tensor<61xi64>
  %2 = stablehlo.sign %arg1 : tensor<61xi64>
  %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %4 = stablehlo.remainder %arg0, %arg1 : tensor<61xi64>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<61xi64>, tensor<61xi64>) -> tensor<61xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %9 = stablehlo.convert %8 : tensor<61xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<i1>
  %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<61xi1>
  %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<61xi1>, tensor<61xi1>) -> tensor<61xi1>
  %12 = stablehlo.convert %11 : tensor<61xi1>
  %13 = stablehlo.and %9, %12 : tensor<61xi1>
  %c_2 = stablehlo.constant dense<1> : tensor<i64>
  %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %15 = stablehlo.subtract %0, %14 : tensor<61xi64>
  %16 = call @f64_rule._where_3(%13, %15, %0) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  return %16 : tensor<61xi64>
}
func.func private @f64_rule._where_3(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
func.func private @f64_rule._where_4(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>, %arg4: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  %1 = stablehlo.select %arg0, %arg3, %arg4 : tensor<61xi1>, tensor<61xf64>
  return %0, %1 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where_5(%arg0: tensor<61xi1>, %arg1: tensor<f64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.convert %arg1 : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf64>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.select %arg0, %3, %arg3 : tensor<61xi1>, tensor<61xf64>
  return %2, %4 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where_6(%arg0: tensor<61xi1>, %arg1: tensor<f64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.convert %arg1 : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf64>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.select %arg0, %3, %arg3 : tensor<61xi1>, tensor<61xf64>
  return %2, %4 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where_7(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64_rule._where_8(%arg0: tensor<61xi1>, %arg1: tensor<i64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.select %arg0, %1, %2 : tensor<61xi1>, tensor<61xf64>
  return %3 : tensor<61xf64>
}
func.func private @f64_rule._where_9(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg2 : tensor<61xf64>
  %1 = stablehlo.select %arg0, %arg1, %0 : tensor<61xi1>, tensor<61xf64>
  return %1 : tensor<61xf64>
}
