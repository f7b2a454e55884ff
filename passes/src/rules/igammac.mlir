// igammac, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f32(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.compare EQ, %arg0, %3, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare EQ, %arg1, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %13 = stablehlo.and %4, %6 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.compare LT, %arg1, %17, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %19 = stablehlo.compare LT, %arg1, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %20 = stablehlo.or %18, %19 : tensor<61xi1>
  %21 = stablehlo.log %arg1 : tensor<61xf32>
  %22 = stablehlo.multiply %arg0, %21 : tensor<61xf32>
  %23 = stablehlo.subtract %22, %arg1 : tensor<61xf32>
  %24 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %25 = stablehlo.subtract %23, %24 : tensor<61xf32>
  %cst_5 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
  %26 = stablehlo.log %cst_5 : tensor<f32>
  %27 = stablehlo.negate %26 : tensor<f32>
  %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %29 = stablehlo.compare LT, %25, %28, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %30 = stablehlo.or %16, %29 : tensor<61xi1>
  %31 = stablehlo.or %30, %8 : tensor<61xi1>
  %32 = stablehlo.or %31, %4 : tensor<61xi1>
  %33 = stablehlo.not %32 : tensor<61xi1>
  %34 = stablehlo.exponential %25 : tensor<61xf32>
  %35 = stablehlo.and %33, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40:7 = stablehlo.while(%iterArg = %35, %iterArg_22 = %arg0, %iterArg_23 = %36, %iterArg_24 = %37, %iterArg_25 = %arg1, %iterArg_26 = %38, %iterArg_27 = %39) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %73 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %73 : tensor<i1>
  } do {
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %74 = stablehlo.add %iterArg_22, %73 : tensor<61xf32>
    %75 = stablehlo.divide %iterArg_25, %74 : tensor<61xf32>
    %76 = stablehlo.multiply %iterArg_26, %75 : tensor<61xf32>
    %77 = stablehlo.multiply %iterArg_23, %iterArg_25 : tensor<61xf32>
    %78 = stablehlo.multiply %74, %74 : tensor<61xf32>
    %79 = stablehlo.divide %77, %78 : tensor<61xf32>
    %80 = stablehlo.subtract %76, %79 : tensor<61xf32>
    %81 = stablehlo.add %iterArg_27, %80 : tensor<61xf32>
    %82 = stablehlo.divide %iterArg_25, %74 : tensor<61xf32>
    %83 = stablehlo.multiply %iterArg_23, %82 : tensor<61xf32>
    %84 = stablehlo.add %iterArg_24, %83 : tensor<61xf32>
    %85 = stablehlo.divide %83, %84 : tensor<61xf32>
    %cst_29 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %87 = stablehlo.compare GT, %85, %86, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %88 = stablehlo.and %iterArg, %87 : tensor<61xi1>
    %89 = stablehlo.select %iterArg, %74, %iterArg_22 : tensor<61xi1>, tensor<61xf32>
    %90 = stablehlo.select %iterArg, %83, %iterArg_23 : tensor<61xi1>, tensor<61xf32>
    %91 = stablehlo.select %iterArg, %84, %iterArg_24 : tensor<61xi1>, tensor<61xf32>
    %92 = stablehlo.select %iterArg, %iterArg_25, %iterArg_25 : tensor<61xi1>, tensor<61xf32>
    %93 = stablehlo.select %iterArg, %80, %iterArg_26 : tensor<61xi1>, tensor<61xf32>
    %94 = stablehlo.select %iterArg, %81, %iterArg_27 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %88, %89, %90, %91, %92, %93, %94 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %41 = stablehlo.multiply %40#3, %34 : tensor<61xf32>
  %42 = stablehlo.divide %41, %arg0 : tensor<61xf32>
  %43 = stablehlo.not %20 : tensor<61xi1>
  %44 = stablehlo.and %33, %43 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %46 = stablehlo.subtract %45, %arg0 : tensor<61xf32>
  %47 = stablehlo.add %arg1, %46 : tensor<61xf32>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %49 = stablehlo.add %47, %48 : tensor<61xf32>
  %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %52 = stablehlo.add %arg1, %51 : tensor<61xf32>
  %53 = stablehlo.multiply %49, %arg1 : tensor<61xf32>
  %54 = stablehlo.divide %52, %53 : tensor<61xf32>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %55 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %59 = stablehlo.negate %arg1 : tensor<61xf32>
  %60 = stablehlo.multiply %54, %59 : tensor<61xf32>
  %61 = stablehlo.subtract %58, %60 : tensor<61xf32>
  %62 = stablehlo.divide %61, %53 : tensor<61xf32>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %63:15 = stablehlo.while(%iterArg = %44, %iterArg_22 = %54, %iterArg_23 = %55, %iterArg_24 = %46, %iterArg_25 = %49, %iterArg_26 = %cst_18, %iterArg_27 = %52, %iterArg_28 = %53, %iterArg_29 = %50, %iterArg_30 = %arg1, %iterArg_31 = %56, %iterArg_32 = %57, %iterArg_33 = %58, %iterArg_34 = %59, %iterArg_35 = %62) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_36 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
    %73 = stablehlo.compare LT, %iterArg_26, %cst_36, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %74 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %75 = stablehlo.and %73, %74 : tensor<i1>
    stablehlo.return %75 : tensor<i1>
  } do {
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %73 = stablehlo.add %iterArg_26, %cst_36 : tensor<f32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %75 = stablehlo.add %iterArg_24, %74 : tensor<61xf32>
    %cst_38 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %77 = stablehlo.add %iterArg_25, %76 : tensor<61xf32>
    %78 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %79 = stablehlo.multiply %75, %78 : tensor<61xf32>
    %80 = stablehlo.multiply %iterArg_27, %77 : tensor<61xf32>
    %81 = stablehlo.multiply %iterArg_29, %79 : tensor<61xf32>
    %82 = stablehlo.subtract %80, %81 : tensor<61xf32>
    %83 = stablehlo.multiply %iterArg_28, %77 : tensor<61xf32>
    %84 = stablehlo.multiply %iterArg_30, %79 : tensor<61xf32>
    %85 = stablehlo.subtract %83, %84 : tensor<61xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %87 = stablehlo.compare NE, %85, %86, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %88 = stablehlo.divide %82, %85 : tensor<61xf32>
    %89 = stablehlo.subtract %iterArg_22, %88 : tensor<61xf32>
    %90 = stablehlo.divide %89, %88 : tensor<61xf32>
    %91 = stablehlo.abs %90 : tensor<61xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %93 = stablehlo.select %87, %91, %92 : tensor<61xi1>, tensor<61xf32>
    %94 = stablehlo.select %87, %88, %iterArg_22 : tensor<61xi1>, tensor<61xf32>
    %95 = stablehlo.multiply %iterArg_33, %77 : tensor<61xf32>
    %96 = stablehlo.subtract %95, %iterArg_27 : tensor<61xf32>
    %97 = stablehlo.multiply %iterArg_31, %79 : tensor<61xf32>
    %98 = stablehlo.subtract %96, %97 : tensor<61xf32>
    %99 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %100 = stablehlo.multiply %iterArg_29, %99 : tensor<61xf32>
    %101 = stablehlo.add %98, %100 : tensor<61xf32>
    %102 = stablehlo.multiply %iterArg_34, %77 : tensor<61xf32>
    %103 = stablehlo.subtract %102, %iterArg_28 : tensor<61xf32>
    %104 = stablehlo.multiply %iterArg_32, %79 : tensor<61xf32>
    %105 = stablehlo.subtract %103, %104 : tensor<61xf32>
    %106 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %107 = stablehlo.multiply %iterArg_30, %106 : tensor<61xf32>
    %108 = stablehlo.add %105, %107 : tensor<61xf32>
    %109 = stablehlo.multiply %94, %108 : tensor<61xf32>
    %110 = stablehlo.subtract %101, %109 : tensor<61xf32>
    %111 = stablehlo.divide %110, %85 : tensor<61xf32>
    %112 = stablehlo.select %87, %111, %iterArg_35 : tensor<61xi1>, tensor<61xf32>
    %113 = stablehlo.subtract %112, %iterArg_35 : tensor<61xf32>
    %114 = stablehlo.abs %113 : tensor<61xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %116 = stablehlo.select %87, %114, %115 : tensor<61xi1>, tensor<61xf32>
    %117 = stablehlo.abs %82 : tensor<61xf32>
    %cst_42 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<f32>
    %119 = stablehlo.divide %118, %cst_42 : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %121 = stablehlo.compare GT, %117, %120, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_44 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %123 = stablehlo.multiply %iterArg_27, %122 : tensor<61xf32>
    %124 = stablehlo.select %121, %123, %iterArg_27 : tensor<61xi1>, tensor<61xf32>
    %cst_45 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %126 = stablehlo.multiply %82, %125 : tensor<61xf32>
    %127 = stablehlo.select %121, %126, %82 : tensor<61xi1>, tensor<61xf32>
    %cst_46 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %129 = stablehlo.multiply %iterArg_28, %128 : tensor<61xf32>
    %130 = stablehlo.select %121, %129, %iterArg_28 : tensor<61xi1>, tensor<61xf32>
    %cst_47 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %132 = stablehlo.multiply %85, %131 : tensor<61xf32>
    %133 = stablehlo.select %121, %132, %85 : tensor<61xi1>, tensor<61xf32>
    %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %135 = stablehlo.multiply %iterArg_33, %134 : tensor<61xf32>
    %136 = stablehlo.select %121, %135, %iterArg_33 : tensor<61xi1>, tensor<61xf32>
    %cst_49 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %138 = stablehlo.multiply %iterArg_34, %137 : tensor<61xf32>
    %139 = stablehlo.select %121, %138, %iterArg_34 : tensor<61xi1>, tensor<61xf32>
    %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %141 = stablehlo.multiply %101, %140 : tensor<61xf32>
    %142 = stablehlo.select %121, %141, %101 : tensor<61xi1>, tensor<61xf32>
    %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %144 = stablehlo.multiply %108, %143 : tensor<61xf32>
    %145 = stablehlo.select %121, %144, %108 : tensor<61xi1>, tensor<61xf32>
    %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %147 = stablehlo.compare GT, %93, %146, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %148 = stablehlo.and %iterArg, %147 : tensor<61xi1>
    %149 = stablehlo.select %iterArg, %94, %iterArg_22 : tensor<61xi1>, tensor<61xf32>
    %150 = stablehlo.select %iterArg, %93, %iterArg_23 : tensor<61xi1>, tensor<61xf32>
    %151 = stablehlo.select %iterArg, %75, %iterArg_24 : tensor<61xi1>, tensor<61xf32>
    %152 = stablehlo.select %iterArg, %77, %iterArg_25 : tensor<61xi1>, tensor<61xf32>
    %153 = stablehlo.select %iterArg, %127, %iterArg_27 : tensor<61xi1>, tensor<61xf32>
    %154 = stablehlo.select %iterArg, %133, %iterArg_28 : tensor<61xi1>, tensor<61xf32>
    %155 = stablehlo.select %iterArg, %124, %iterArg_29 : tensor<61xi1>, tensor<61xf32>
    %156 = stablehlo.select %iterArg, %130, %iterArg_30 : tensor<61xi1>, tensor<61xf32>
    %157 = stablehlo.select %iterArg, %136, %iterArg_31 : tensor<61xi1>, tensor<61xf32>
    %158 = stablehlo.select %iterArg, %139, %iterArg_32 : tensor<61xi1>, tensor<61xf32>
    %159 = stablehlo.select %iterArg, %142, %iterArg_33 : tensor<61xi1>, tensor<61xf32>
    %160 = stablehlo.select %iterArg, %145, %iterArg_34 : tensor<61xi1>, tensor<61xf32>
    %161 = stablehlo.select %iterArg, %112, %iterArg_35 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %148, %149, %150, %151, %152, %73, %153, %154, %155, %156, %157, %158, %159, %160, %161 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %64 = stablehlo.multiply %63#1, %34 : tensor<61xf32>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %66 = stablehlo.subtract %65, %42 : tensor<61xf32>
  %67 = stablehlo.select %20, %66, %64 : tensor<61xi1>, tensor<61xf32>
  %68 = stablehlo.or %8, %4 : tensor<61xi1>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %70 = stablehlo.select %68, %69, %67 : tensor<61xi1>, tensor<61xf32>
  %cst_21 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %72 = stablehlo.select %16, %71, %70 : tensor<61xi1>, tensor<61xf32>
  return %72 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.compare EQ, %arg0, %3, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare EQ, %arg1, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %13 = stablehlo.and %4, %6 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.compare LT, %arg1, %17, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %19 = stablehlo.compare LT, %arg1, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %20 = stablehlo.or %18, %19 : tensor<61xi1>
  %21 = stablehlo.log %arg1 : tensor<61xf32>
  %22 = stablehlo.multiply %arg0, %21 : tensor<61xf32>
  %23 = stablehlo.subtract %22, %arg1 : tensor<61xf32>
  %24 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %25 = stablehlo.subtract %23, %24 : tensor<61xf32>
  %cst_5 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
  %26 = stablehlo.log %cst_5 : tensor<f32>
  %27 = stablehlo.negate %26 : tensor<f32>
  %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %29 = stablehlo.compare LT, %25, %28, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %30 = stablehlo.or %16, %29 : tensor<61xi1>
  %31 = stablehlo.or %30, %8 : tensor<61xi1>
  %32 = stablehlo.or %31, %4 : tensor<61xi1>
  %33 = stablehlo.not %32 : tensor<61xi1>
  %34 = stablehlo.exponential %25 : tensor<61xf32>
  %35 = stablehlo.and %33, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40:7 = stablehlo.while(%iterArg = %35, %iterArg_44 = %arg0, %iterArg_45 = %36, %iterArg_46 = %37, %iterArg_47 = %arg1, %iterArg_48 = %38, %iterArg_49 = %39) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %164 : tensor<i1>
  } do {
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %165 = stablehlo.add %iterArg_44, %164 : tensor<61xf32>
    %166 = stablehlo.divide %iterArg_47, %165 : tensor<61xf32>
    %167 = stablehlo.multiply %iterArg_48, %166 : tensor<61xf32>
    %168 = stablehlo.multiply %iterArg_45, %iterArg_47 : tensor<61xf32>
    %169 = stablehlo.multiply %165, %165 : tensor<61xf32>
    %170 = stablehlo.divide %168, %169 : tensor<61xf32>
    %171 = stablehlo.subtract %167, %170 : tensor<61xf32>
    %172 = stablehlo.add %iterArg_49, %171 : tensor<61xf32>
    %173 = stablehlo.divide %iterArg_47, %165 : tensor<61xf32>
    %174 = stablehlo.multiply %iterArg_45, %173 : tensor<61xf32>
    %175 = stablehlo.add %iterArg_46, %174 : tensor<61xf32>
    %176 = stablehlo.divide %174, %175 : tensor<61xf32>
    %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %178 = stablehlo.compare GT, %176, %177, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %179 = stablehlo.and %iterArg, %178 : tensor<61xi1>
    %180 = stablehlo.select %iterArg, %165, %iterArg_44 : tensor<61xi1>, tensor<61xf32>
    %181 = stablehlo.select %iterArg, %174, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %182 = stablehlo.select %iterArg, %175, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %183 = stablehlo.select %iterArg, %iterArg_47, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %184 = stablehlo.select %iterArg, %171, %iterArg_48 : tensor<61xi1>, tensor<61xf32>
    %185 = stablehlo.select %iterArg, %172, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %179, %180, %181, %182, %183, %184, %185 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %41 = stablehlo.multiply %40#3, %34 : tensor<61xf32>
  %42 = stablehlo.divide %41, %arg0 : tensor<61xf32>
  %43 = stablehlo.not %20 : tensor<61xi1>
  %44 = stablehlo.and %33, %43 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %46 = stablehlo.subtract %45, %arg0 : tensor<61xf32>
  %47 = stablehlo.add %arg1, %46 : tensor<61xf32>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %49 = stablehlo.add %47, %48 : tensor<61xf32>
  %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %52 = stablehlo.add %arg1, %51 : tensor<61xf32>
  %53 = stablehlo.multiply %49, %arg1 : tensor<61xf32>
  %54 = stablehlo.divide %52, %53 : tensor<61xf32>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %55 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %59 = stablehlo.negate %arg1 : tensor<61xf32>
  %60 = stablehlo.multiply %54, %59 : tensor<61xf32>
  %61 = stablehlo.subtract %58, %60 : tensor<61xf32>
  %62 = stablehlo.divide %61, %53 : tensor<61xf32>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %63:15 = stablehlo.while(%iterArg = %44, %iterArg_44 = %54, %iterArg_45 = %55, %iterArg_46 = %46, %iterArg_47 = %49, %iterArg_48 = %cst_18, %iterArg_49 = %52, %iterArg_50 = %53, %iterArg_51 = %50, %iterArg_52 = %arg1, %iterArg_53 = %56, %iterArg_54 = %57, %iterArg_55 = %58, %iterArg_56 = %59, %iterArg_57 = %62) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_58 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
    %164 = stablehlo.compare LT, %iterArg_48, %cst_58, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %165 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %166 = stablehlo.and %164, %165 : tensor<i1>
    stablehlo.return %166 : tensor<i1>
  } do {
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.add %iterArg_48, %cst_58 : tensor<f32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %166 = stablehlo.add %iterArg_46, %165 : tensor<61xf32>
    %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %168 = stablehlo.add %iterArg_47, %167 : tensor<61xf32>
    %169 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %170 = stablehlo.multiply %166, %169 : tensor<61xf32>
    %171 = stablehlo.multiply %iterArg_49, %168 : tensor<61xf32>
    %172 = stablehlo.multiply %iterArg_51, %170 : tensor<61xf32>
    %173 = stablehlo.subtract %171, %172 : tensor<61xf32>
    %174 = stablehlo.multiply %iterArg_50, %168 : tensor<61xf32>
    %175 = stablehlo.multiply %iterArg_52, %170 : tensor<61xf32>
    %176 = stablehlo.subtract %174, %175 : tensor<61xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %178 = stablehlo.compare NE, %176, %177, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %179 = stablehlo.divide %173, %176 : tensor<61xf32>
    %180 = stablehlo.subtract %iterArg_44, %179 : tensor<61xf32>
    %181 = stablehlo.divide %180, %179 : tensor<61xf32>
    %182 = stablehlo.abs %181 : tensor<61xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %184 = stablehlo.select %178, %182, %183 : tensor<61xi1>, tensor<61xf32>
    %185 = stablehlo.select %178, %179, %iterArg_44 : tensor<61xi1>, tensor<61xf32>
    %186 = stablehlo.multiply %iterArg_55, %168 : tensor<61xf32>
    %187 = stablehlo.subtract %186, %iterArg_49 : tensor<61xf32>
    %188 = stablehlo.multiply %iterArg_53, %170 : tensor<61xf32>
    %189 = stablehlo.subtract %187, %188 : tensor<61xf32>
    %190 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %191 = stablehlo.multiply %iterArg_51, %190 : tensor<61xf32>
    %192 = stablehlo.add %189, %191 : tensor<61xf32>
    %193 = stablehlo.multiply %iterArg_56, %168 : tensor<61xf32>
    %194 = stablehlo.subtract %193, %iterArg_50 : tensor<61xf32>
    %195 = stablehlo.multiply %iterArg_54, %170 : tensor<61xf32>
    %196 = stablehlo.subtract %194, %195 : tensor<61xf32>
    %197 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %198 = stablehlo.multiply %iterArg_52, %197 : tensor<61xf32>
    %199 = stablehlo.add %196, %198 : tensor<61xf32>
    %200 = stablehlo.multiply %185, %199 : tensor<61xf32>
    %201 = stablehlo.subtract %192, %200 : tensor<61xf32>
    %202 = stablehlo.divide %201, %176 : tensor<61xf32>
    %203 = stablehlo.select %178, %202, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    %204 = stablehlo.subtract %203, %iterArg_57 : tensor<61xf32>
    %205 = stablehlo.abs %204 : tensor<61xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %207 = stablehlo.select %178, %205, %206 : tensor<61xi1>, tensor<61xf32>
    %208 = stablehlo.abs %173 : tensor<61xf32>
    %cst_64 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<f32>
    %210 = stablehlo.divide %209, %cst_64 : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %210, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %212 = stablehlo.compare GT, %208, %211, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_66 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %214 = stablehlo.multiply %iterArg_49, %213 : tensor<61xf32>
    %215 = stablehlo.select %212, %214, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    %cst_67 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %217 = stablehlo.multiply %173, %216 : tensor<61xf32>
    %218 = stablehlo.select %212, %217, %173 : tensor<61xi1>, tensor<61xf32>
    %cst_68 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %220 = stablehlo.multiply %iterArg_50, %219 : tensor<61xf32>
    %221 = stablehlo.select %212, %220, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %cst_69 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %223 = stablehlo.multiply %176, %222 : tensor<61xf32>
    %224 = stablehlo.select %212, %223, %176 : tensor<61xi1>, tensor<61xf32>
    %cst_70 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %226 = stablehlo.multiply %iterArg_55, %225 : tensor<61xf32>
    %227 = stablehlo.select %212, %226, %iterArg_55 : tensor<61xi1>, tensor<61xf32>
    %cst_71 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %229 = stablehlo.multiply %iterArg_56, %228 : tensor<61xf32>
    %230 = stablehlo.select %212, %229, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %cst_72 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %232 = stablehlo.multiply %192, %231 : tensor<61xf32>
    %233 = stablehlo.select %212, %232, %192 : tensor<61xi1>, tensor<61xf32>
    %cst_73 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %235 = stablehlo.multiply %199, %234 : tensor<61xf32>
    %236 = stablehlo.select %212, %235, %199 : tensor<61xi1>, tensor<61xf32>
    %cst_74 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %238 = stablehlo.compare GT, %184, %237, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %239 = stablehlo.and %iterArg, %238 : tensor<61xi1>
    %240 = stablehlo.select %iterArg, %185, %iterArg_44 : tensor<61xi1>, tensor<61xf32>
    %241 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %242 = stablehlo.select %iterArg, %166, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %243 = stablehlo.select %iterArg, %168, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %244 = stablehlo.select %iterArg, %218, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    %245 = stablehlo.select %iterArg, %224, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %246 = stablehlo.select %iterArg, %215, %iterArg_51 : tensor<61xi1>, tensor<61xf32>
    %247 = stablehlo.select %iterArg, %221, %iterArg_52 : tensor<61xi1>, tensor<61xf32>
    %248 = stablehlo.select %iterArg, %227, %iterArg_53 : tensor<61xi1>, tensor<61xf32>
    %249 = stablehlo.select %iterArg, %230, %iterArg_54 : tensor<61xi1>, tensor<61xf32>
    %250 = stablehlo.select %iterArg, %233, %iterArg_55 : tensor<61xi1>, tensor<61xf32>
    %251 = stablehlo.select %iterArg, %236, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %252 = stablehlo.select %iterArg, %203, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %239, %240, %241, %242, %243, %164, %244, %245, %246, %247, %248, %249, %250, %251, %252 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %64 = stablehlo.multiply %63#1, %34 : tensor<61xf32>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %66 = stablehlo.subtract %65, %42 : tensor<61xf32>
  %67 = stablehlo.select %20, %66, %64 : tensor<61xi1>, tensor<61xf32>
  %68 = stablehlo.or %8, %4 : tensor<61xi1>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %70 = stablehlo.select %68, %69, %67 : tensor<61xi1>, tensor<61xf32>
  %cst_21 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %72 = stablehlo.select %16, %71, %70 : tensor<61xi1>, tensor<61xf32>
  %73 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %74 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %75 = stablehlo.or %73, %74 : tensor<61xi1>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %76 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %77 = stablehlo.compare EQ, %arg1, %76, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %78 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %79 = stablehlo.compare LT, %arg1, %78, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %80 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %81 = stablehlo.compare LE, %arg0, %80, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %82 = stablehlo.or %79, %81 : tensor<61xi1>
  %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %83 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %84 = stablehlo.compare GT, %arg1, %83, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %85 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %86 = stablehlo.and %84, %85 : tensor<61xi1>
  %87 = stablehlo.log %arg1 : tensor<61xf32>
  %88 = stablehlo.multiply %arg0, %87 : tensor<61xf32>
  %89 = stablehlo.subtract %88, %arg1 : tensor<61xf32>
  %90 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %91 = stablehlo.subtract %89, %90 : tensor<61xf32>
  %cst_26 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
  %92 = stablehlo.log %cst_26 : tensor<f32>
  %93 = stablehlo.negate %92 : tensor<f32>
  %94 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %95 = stablehlo.compare LT, %91, %94, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %96 = stablehlo.exponential %91 : tensor<61xf32>
  %97 = stablehlo.or %77, %82 : tensor<61xi1>
  %98 = stablehlo.or %97, %95 : tensor<61xi1>
  %99 = stablehlo.or %98, %75 : tensor<61xi1>
  %100 = stablehlo.not %99 : tensor<61xi1>
  %101 = stablehlo.and %100, %86 : tensor<61xi1>
  %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %103 = stablehlo.subtract %102, %arg0 : tensor<61xf32>
  %104 = stablehlo.add %arg1, %103 : tensor<61xf32>
  %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %106 = stablehlo.add %104, %105 : tensor<61xf32>
  %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %107 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %108 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %109 = stablehlo.add %arg1, %108 : tensor<61xf32>
  %110 = stablehlo.multiply %106, %arg1 : tensor<61xf32>
  %111 = stablehlo.divide %109, %110 : tensor<61xf32>
  %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %112 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %113 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %114 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %115 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %116 = stablehlo.negate %arg1 : tensor<61xf32>
  %117 = stablehlo.multiply %111, %116 : tensor<61xf32>
  %118 = stablehlo.subtract %115, %117 : tensor<61xf32>
  %119 = stablehlo.divide %118, %110 : tensor<61xf32>
  %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %120:15 = stablehlo.while(%iterArg = %101, %iterArg_44 = %111, %iterArg_45 = %112, %iterArg_46 = %103, %iterArg_47 = %106, %iterArg_48 = %cst_35, %iterArg_49 = %109, %iterArg_50 = %110, %iterArg_51 = %107, %iterArg_52 = %arg1, %iterArg_53 = %113, %iterArg_54 = %114, %iterArg_55 = %115, %iterArg_56 = %116, %iterArg_57 = %119) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_58 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
    %164 = stablehlo.compare LT, %iterArg_48, %cst_58, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %165 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %166 = stablehlo.and %164, %165 : tensor<i1>
    stablehlo.return %166 : tensor<i1>
  } do {
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.add %iterArg_48, %cst_58 : tensor<f32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %166 = stablehlo.add %iterArg_46, %165 : tensor<61xf32>
    %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %168 = stablehlo.add %iterArg_47, %167 : tensor<61xf32>
    %169 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %170 = stablehlo.multiply %166, %169 : tensor<61xf32>
    %171 = stablehlo.multiply %iterArg_49, %168 : tensor<61xf32>
    %172 = stablehlo.multiply %iterArg_51, %170 : tensor<61xf32>
    %173 = stablehlo.subtract %171, %172 : tensor<61xf32>
    %174 = stablehlo.multiply %iterArg_50, %168 : tensor<61xf32>
    %175 = stablehlo.multiply %iterArg_52, %170 : tensor<61xf32>
    %176 = stablehlo.subtract %174, %175 : tensor<61xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %178 = stablehlo.compare NE, %176, %177, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %179 = stablehlo.divide %173, %176 : tensor<61xf32>
    %180 = stablehlo.subtract %iterArg_44, %179 : tensor<61xf32>
    %181 = stablehlo.divide %180, %179 : tensor<61xf32>
    %182 = stablehlo.abs %181 : tensor<61xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %184 = stablehlo.select %178, %182, %183 : tensor<61xi1>, tensor<61xf32>
    %185 = stablehlo.select %178, %179, %iterArg_44 : tensor<61xi1>, tensor<61xf32>
    %186 = stablehlo.multiply %iterArg_55, %168 : tensor<61xf32>
    %187 = stablehlo.subtract %186, %iterArg_49 : tensor<61xf32>
    %188 = stablehlo.multiply %iterArg_53, %170 : tensor<61xf32>
    %189 = stablehlo.subtract %187, %188 : tensor<61xf32>
    %190 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %191 = stablehlo.multiply %iterArg_51, %190 : tensor<61xf32>
    %192 = stablehlo.add %189, %191 : tensor<61xf32>
    %193 = stablehlo.multiply %iterArg_56, %168 : tensor<61xf32>
    %194 = stablehlo.subtract %193, %iterArg_50 : tensor<61xf32>
    %195 = stablehlo.multiply %iterArg_54, %170 : tensor<61xf32>
    %196 = stablehlo.subtract %194, %195 : tensor<61xf32>
    %197 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %198 = stablehlo.multiply %iterArg_52, %197 : tensor<61xf32>
    %199 = stablehlo.add %196, %198 : tensor<61xf32>
    %200 = stablehlo.multiply %185, %199 : tensor<61xf32>
    %201 = stablehlo.subtract %192, %200 : tensor<61xf32>
    %202 = stablehlo.divide %201, %176 : tensor<61xf32>
    %203 = stablehlo.select %178, %202, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    %204 = stablehlo.subtract %203, %iterArg_57 : tensor<61xf32>
    %205 = stablehlo.abs %204 : tensor<61xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %207 = stablehlo.select %178, %205, %206 : tensor<61xi1>, tensor<61xf32>
    %208 = stablehlo.abs %173 : tensor<61xf32>
    %cst_64 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<f32>
    %210 = stablehlo.divide %209, %cst_64 : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %210, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %212 = stablehlo.compare GT, %208, %211, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_66 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %214 = stablehlo.multiply %iterArg_49, %213 : tensor<61xf32>
    %215 = stablehlo.select %212, %214, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    %cst_67 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %217 = stablehlo.multiply %173, %216 : tensor<61xf32>
    %218 = stablehlo.select %212, %217, %173 : tensor<61xi1>, tensor<61xf32>
    %cst_68 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %220 = stablehlo.multiply %iterArg_50, %219 : tensor<61xf32>
    %221 = stablehlo.select %212, %220, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %cst_69 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %223 = stablehlo.multiply %176, %222 : tensor<61xf32>
    %224 = stablehlo.select %212, %223, %176 : tensor<61xi1>, tensor<61xf32>
    %cst_70 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %226 = stablehlo.multiply %iterArg_55, %225 : tensor<61xf32>
    %227 = stablehlo.select %212, %226, %iterArg_55 : tensor<61xi1>, tensor<61xf32>
    %cst_71 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %229 = stablehlo.multiply %iterArg_56, %228 : tensor<61xf32>
    %230 = stablehlo.select %212, %229, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %cst_72 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %232 = stablehlo.multiply %192, %231 : tensor<61xf32>
    %233 = stablehlo.select %212, %232, %192 : tensor<61xi1>, tensor<61xf32>
    %cst_73 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %235 = stablehlo.multiply %199, %234 : tensor<61xf32>
    %236 = stablehlo.select %212, %235, %199 : tensor<61xi1>, tensor<61xf32>
    %cst_74 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %238 = stablehlo.compare GT, %207, %237, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %239 = stablehlo.and %iterArg, %238 : tensor<61xi1>
    %240 = stablehlo.select %iterArg, %185, %iterArg_44 : tensor<61xi1>, tensor<61xf32>
    %241 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %242 = stablehlo.select %iterArg, %166, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %243 = stablehlo.select %iterArg, %168, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %244 = stablehlo.select %iterArg, %218, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    %245 = stablehlo.select %iterArg, %224, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %246 = stablehlo.select %iterArg, %215, %iterArg_51 : tensor<61xi1>, tensor<61xf32>
    %247 = stablehlo.select %iterArg, %221, %iterArg_52 : tensor<61xi1>, tensor<61xf32>
    %248 = stablehlo.select %iterArg, %227, %iterArg_53 : tensor<61xi1>, tensor<61xf32>
    %249 = stablehlo.select %iterArg, %230, %iterArg_54 : tensor<61xi1>, tensor<61xf32>
    %250 = stablehlo.select %iterArg, %233, %iterArg_55 : tensor<61xi1>, tensor<61xf32>
    %251 = stablehlo.select %iterArg, %236, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %252 = stablehlo.select %iterArg, %203, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %239, %240, %241, %242, %243, %164, %244, %245, %246, %247, %248, %249, %250, %251, %252 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %121 = stablehlo.log %arg1 : tensor<61xf32>
  %122 = chlo.digamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %123 = stablehlo.subtract %121, %122 : tensor<61xf32>
  %124 = stablehlo.multiply %120#1, %123 : tensor<61xf32>
  %125 = stablehlo.add %124, %120#14 : tensor<61xf32>
  %126 = stablehlo.multiply %96, %125 : tensor<61xf32>
  %127 = stablehlo.negate %126 : tensor<61xf32>
  %128 = stablehlo.not %86 : tensor<61xi1>
  %129 = stablehlo.and %100, %128 : tensor<61xi1>
  %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %130 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %131 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %132 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %133 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %134:7 = stablehlo.while(%iterArg = %129, %iterArg_44 = %arg0, %iterArg_45 = %130, %iterArg_46 = %131, %iterArg_47 = %arg1, %iterArg_48 = %132, %iterArg_49 = %133) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %164 : tensor<i1>
  } do {
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %165 = stablehlo.add %iterArg_44, %164 : tensor<61xf32>
    %166 = stablehlo.divide %iterArg_47, %165 : tensor<61xf32>
    %167 = stablehlo.multiply %iterArg_48, %166 : tensor<61xf32>
    %168 = stablehlo.multiply %iterArg_45, %iterArg_47 : tensor<61xf32>
    %169 = stablehlo.multiply %165, %165 : tensor<61xf32>
    %170 = stablehlo.divide %168, %169 : tensor<61xf32>
    %171 = stablehlo.subtract %167, %170 : tensor<61xf32>
    %172 = stablehlo.add %iterArg_49, %171 : tensor<61xf32>
    %173 = stablehlo.divide %iterArg_47, %165 : tensor<61xf32>
    %174 = stablehlo.multiply %iterArg_45, %173 : tensor<61xf32>
    %175 = stablehlo.add %iterArg_46, %174 : tensor<61xf32>
    %176 = stablehlo.divide %171, %172 : tensor<61xf32>
    %177 = stablehlo.abs %176 : tensor<61xf32>
    %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %179 = stablehlo.compare GT, %177, %178, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %180 = stablehlo.and %iterArg, %179 : tensor<61xi1>
    %181 = stablehlo.select %iterArg, %165, %iterArg_44 : tensor<61xi1>, tensor<61xf32>
    %182 = stablehlo.select %iterArg, %174, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %183 = stablehlo.select %iterArg, %175, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %184 = stablehlo.select %iterArg, %iterArg_47, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %185 = stablehlo.select %iterArg, %171, %iterArg_48 : tensor<61xi1>, tensor<61xf32>
    %186 = stablehlo.select %iterArg, %172, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %180, %181, %182, %183, %184, %185, %186 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %135 = stablehlo.log %arg1 : tensor<61xf32>
  %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %136 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %137 = stablehlo.add %arg0, %136 : tensor<61xf32>
  %138 = chlo.digamma %137 : tensor<61xf32> -> tensor<61xf32>
  %139 = stablehlo.subtract %135, %138 : tensor<61xf32>
  %140 = stablehlo.multiply %134#3, %139 : tensor<61xf32>
  %141 = stablehlo.add %140, %134#6 : tensor<61xf32>
  %142 = stablehlo.multiply %96, %141 : tensor<61xf32>
  %143 = stablehlo.divide %142, %arg0 : tensor<61xf32>
  %144 = stablehlo.select %86, %127, %143 : tensor<61xi1>, tensor<61xf32>
  %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %145 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %146 = stablehlo.select %77, %145, %144 : tensor<61xi1>, tensor<61xf32>
  %147 = stablehlo.or %82, %75 : tensor<61xi1>
  %cst_42 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %148 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %149 = stablehlo.select %147, %148, %146 : tensor<61xi1>, tensor<61xf32>
  %150 = stablehlo.multiply %arg2, %149 : tensor<61xf32>
  %151 = stablehlo.negate %150 : tensor<61xf32>
  %152 = stablehlo.negate %arg1 : tensor<61xf32>
  %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %153 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %154 = stablehlo.subtract %arg0, %153 : tensor<61xf32>
  %155 = stablehlo.log %arg1 : tensor<61xf32>
  %156 = stablehlo.multiply %154, %155 : tensor<61xf32>
  %157 = stablehlo.add %152, %156 : tensor<61xf32>
  %158 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %159 = stablehlo.subtract %157, %158 : tensor<61xf32>
  %160 = stablehlo.exponential %159 : tensor<61xf32>
  %161 = stablehlo.multiply %arg3, %160 : tensor<61xf32>
  %162 = stablehlo.negate %161 : tensor<61xf32>
  %163 = stablehlo.add %151, %162 : tensor<61xf32>
  return %72, %163 : tensor<61xf32>, tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.compare EQ, %arg0, %3, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare EQ, %arg1, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %13 = stablehlo.and %4, %6 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.compare LT, %arg1, %17, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %19 = stablehlo.compare LT, %arg1, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %20 = stablehlo.or %18, %19 : tensor<61xi1>
  %21 = stablehlo.log %arg1 : tensor<61xf64>
  %22 = stablehlo.multiply %arg0, %21 : tensor<61xf64>
  %23 = stablehlo.subtract %22, %arg1 : tensor<61xf64>
  %24 = chlo.lgamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %25 = stablehlo.subtract %23, %24 : tensor<61xf64>
  %cst_5 = stablehlo.constant dense<1.7976931348623157E+308> : tensor<f64>
  %26 = stablehlo.log %cst_5 : tensor<f64>
  %27 = stablehlo.negate %26 : tensor<f64>
  %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %29 = stablehlo.compare LT, %25, %28, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %30 = stablehlo.or %16, %29 : tensor<61xi1>
  %31 = stablehlo.or %30, %8 : tensor<61xi1>
  %32 = stablehlo.or %31, %4 : tensor<61xi1>
  %33 = stablehlo.not %32 : tensor<61xi1>
  %34 = stablehlo.exponential %25 : tensor<61xf64>
  %35 = stablehlo.and %33, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %40:7 = stablehlo.while(%iterArg = %35, %iterArg_22 = %arg0, %iterArg_23 = %36, %iterArg_24 = %37, %iterArg_25 = %arg1, %iterArg_26 = %38, %iterArg_27 = %39) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %73 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %73 : tensor<i1>
  } do {
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %73 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %74 = stablehlo.add %iterArg_22, %73 : tensor<61xf64>
    %75 = stablehlo.divide %iterArg_25, %74 : tensor<61xf64>
    %76 = stablehlo.multiply %iterArg_26, %75 : tensor<61xf64>
    %77 = stablehlo.multiply %iterArg_23, %iterArg_25 : tensor<61xf64>
    %78 = stablehlo.multiply %74, %74 : tensor<61xf64>
    %79 = stablehlo.divide %77, %78 : tensor<61xf64>
    %80 = stablehlo.subtract %76, %79 : tensor<61xf64>
    %81 = stablehlo.add %iterArg_27, %80 : tensor<61xf64>
    %82 = stablehlo.divide %iterArg_25, %74 : tensor<61xf64>
    %83 = stablehlo.multiply %iterArg_23, %82 : tensor<61xf64>
    %84 = stablehlo.add %iterArg_24, %83 : tensor<61xf64>
    %85 = stablehlo.divide %83, %84 : tensor<61xf64>
    %cst_29 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %86 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %87 = stablehlo.compare GT, %85, %86, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %88 = stablehlo.and %iterArg, %87 : tensor<61xi1>
    %89 = stablehlo.select %iterArg, %74, %iterArg_22 : tensor<61xi1>, tensor<61xf64>
    %90 = stablehlo.select %iterArg, %83, %iterArg_23 : tensor<61xi1>, tensor<61xf64>
    %91 = stablehlo.select %iterArg, %84, %iterArg_24 : tensor<61xi1>, tensor<61xf64>
    %92 = stablehlo.select %iterArg, %iterArg_25, %iterArg_25 : tensor<61xi1>, tensor<61xf64>
    %93 = stablehlo.select %iterArg, %80, %iterArg_26 : tensor<61xi1>, tensor<61xf64>
    %94 = stablehlo.select %iterArg, %81, %iterArg_27 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %88, %89, %90, %91, %92, %93, %94 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %41 = stablehlo.multiply %40#3, %34 : tensor<61xf64>
  %42 = stablehlo.divide %41, %arg0 : tensor<61xf64>
  %43 = stablehlo.not %20 : tensor<61xi1>
  %44 = stablehlo.and %33, %43 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %46 = stablehlo.subtract %45, %arg0 : tensor<61xf64>
  %47 = stablehlo.add %arg1, %46 : tensor<61xf64>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %49 = stablehlo.add %47, %48 : tensor<61xf64>
  %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %52 = stablehlo.add %arg1, %51 : tensor<61xf64>
  %53 = stablehlo.multiply %49, %arg1 : tensor<61xf64>
  %54 = stablehlo.divide %52, %53 : tensor<61xf64>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %55 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %59 = stablehlo.negate %arg1 : tensor<61xf64>
  %60 = stablehlo.multiply %54, %59 : tensor<61xf64>
  %61 = stablehlo.subtract %58, %60 : tensor<61xf64>
  %62 = stablehlo.divide %61, %53 : tensor<61xf64>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %63:15 = stablehlo.while(%iterArg = %44, %iterArg_22 = %54, %iterArg_23 = %55, %iterArg_24 = %46, %iterArg_25 = %49, %iterArg_26 = %cst_18, %iterArg_27 = %52, %iterArg_28 = %53, %iterArg_29 = %50, %iterArg_30 = %arg1, %iterArg_31 = %56, %iterArg_32 = %57, %iterArg_33 = %58, %iterArg_34 = %59, %iterArg_35 = %62) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_36 = stablehlo.constant dense<2.000000e+03> : tensor<f64>
    %73 = stablehlo.compare LT, %iterArg_26, %cst_36, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %74 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %75 = stablehlo.and %73, %74 : tensor<i1>
    stablehlo.return %75 : tensor<i1>
  } do {
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %73 = stablehlo.add %iterArg_26, %cst_36 : tensor<f64>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %74 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %75 = stablehlo.add %iterArg_24, %74 : tensor<61xf64>
    %cst_38 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %76 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %77 = stablehlo.add %iterArg_25, %76 : tensor<61xf64>
    %78 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %79 = stablehlo.multiply %75, %78 : tensor<61xf64>
    %80 = stablehlo.multiply %iterArg_27, %77 : tensor<61xf64>
    %81 = stablehlo.multiply %iterArg_29, %79 : tensor<61xf64>
    %82 = stablehlo.subtract %80, %81 : tensor<61xf64>
    %83 = stablehlo.multiply %iterArg_28, %77 : tensor<61xf64>
    %84 = stablehlo.multiply %iterArg_30, %79 : tensor<61xf64>
    %85 = stablehlo.subtract %83, %84 : tensor<61xf64>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %86 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %87 = stablehlo.compare NE, %85, %86, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %88 = stablehlo.divide %82, %85 : tensor<61xf64>
    %89 = stablehlo.subtract %iterArg_22, %88 : tensor<61xf64>
    %90 = stablehlo.divide %89, %88 : tensor<61xf64>
    %91 = stablehlo.abs %90 : tensor<61xf64>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %92 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %93 = stablehlo.select %87, %91, %92 : tensor<61xi1>, tensor<61xf64>
    %94 = stablehlo.select %87, %88, %iterArg_22 : tensor<61xi1>, tensor<61xf64>
    %95 = stablehlo.multiply %iterArg_33, %77 : tensor<61xf64>
    %96 = stablehlo.subtract %95, %iterArg_27 : tensor<61xf64>
    %97 = stablehlo.multiply %iterArg_31, %79 : tensor<61xf64>
    %98 = stablehlo.subtract %96, %97 : tensor<61xf64>
    %99 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %100 = stablehlo.multiply %iterArg_29, %99 : tensor<61xf64>
    %101 = stablehlo.add %98, %100 : tensor<61xf64>
    %102 = stablehlo.multiply %iterArg_34, %77 : tensor<61xf64>
    %103 = stablehlo.subtract %102, %iterArg_28 : tensor<61xf64>
    %104 = stablehlo.multiply %iterArg_32, %79 : tensor<61xf64>
    %105 = stablehlo.subtract %103, %104 : tensor<61xf64>
    %106 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %107 = stablehlo.multiply %iterArg_30, %106 : tensor<61xf64>
    %108 = stablehlo.add %105, %107 : tensor<61xf64>
    %109 = stablehlo.multiply %94, %108 : tensor<61xf64>
    %110 = stablehlo.subtract %101, %109 : tensor<61xf64>
    %111 = stablehlo.divide %110, %85 : tensor<61xf64>
    %112 = stablehlo.select %87, %111, %iterArg_35 : tensor<61xi1>, tensor<61xf64>
    %113 = stablehlo.subtract %112, %iterArg_35 : tensor<61xf64>
    %114 = stablehlo.abs %113 : tensor<61xf64>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %115 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %116 = stablehlo.select %87, %114, %115 : tensor<61xi1>, tensor<61xf64>
    %117 = stablehlo.abs %82 : tensor<61xf64>
    %cst_42 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %118 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<f64>
    %119 = stablehlo.divide %118, %cst_42 : tensor<f64>
    %120 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %121 = stablehlo.compare GT, %117, %120, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_44 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %122 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %123 = stablehlo.multiply %iterArg_27, %122 : tensor<61xf64>
    %124 = stablehlo.select %121, %123, %iterArg_27 : tensor<61xi1>, tensor<61xf64>
    %cst_45 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %125 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %126 = stablehlo.multiply %82, %125 : tensor<61xf64>
    %127 = stablehlo.select %121, %126, %82 : tensor<61xi1>, tensor<61xf64>
    %cst_46 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %128 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %129 = stablehlo.multiply %iterArg_28, %128 : tensor<61xf64>
    %130 = stablehlo.select %121, %129, %iterArg_28 : tensor<61xi1>, tensor<61xf64>
    %cst_47 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %131 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %132 = stablehlo.multiply %85, %131 : tensor<61xf64>
    %133 = stablehlo.select %121, %132, %85 : tensor<61xi1>, tensor<61xf64>
    %cst_48 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %134 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %135 = stablehlo.multiply %iterArg_33, %134 : tensor<61xf64>
    %136 = stablehlo.select %121, %135, %iterArg_33 : tensor<61xi1>, tensor<61xf64>
    %cst_49 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %137 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %138 = stablehlo.multiply %iterArg_34, %137 : tensor<61xf64>
    %139 = stablehlo.select %121, %138, %iterArg_34 : tensor<61xi1>, tensor<61xf64>
    %cst_50 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %140 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %141 = stablehlo.multiply %101, %140 : tensor<61xf64>
    %142 = stablehlo.select %121, %141, %101 : tensor<61xi1>, tensor<61xf64>
    %cst_51 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %143 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %144 = stablehlo.multiply %108, %143 : tensor<61xf64>
    %145 = stablehlo.select %121, %144, %108 : tensor<61xi1>, tensor<61xf64>
    %cst_52 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %146 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %147 = stablehlo.compare GT, %93, %146, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %148 = stablehlo.and %iterArg, %147 : tensor<61xi1>
    %149 = stablehlo.select %iterArg, %94, %iterArg_22 : tensor<61xi1>, tensor<61xf64>
    %150 = stablehlo.select %iterArg, %93, %iterArg_23 : tensor<61xi1>, tensor<61xf64>
    %151 = stablehlo.select %iterArg, %75, %iterArg_24 : tensor<61xi1>, tensor<61xf64>
    %152 = stablehlo.select %iterArg, %77, %iterArg_25 : tensor<61xi1>, tensor<61xf64>
    %153 = stablehlo.select %iterArg, %127, %iterArg_27 : tensor<61xi1>, tensor<61xf64>
    %154 = stablehlo.select %iterArg, %133, %iterArg_28 : tensor<61xi1>, tensor<61xf64>
    %155 = stablehlo.select %iterArg, %124, %iterArg_29 : tensor<61xi1>, tensor<61xf64>
    %156 = stablehlo.select %iterArg, %130, %iterArg_30 : tensor<61xi1>, tensor<61xf64>
    %157 = stablehlo.select %iterArg, %136, %iterArg_31 : tensor<61xi1>, tensor<61xf64>
    %158 = stablehlo.select %iterArg, %139, %iterArg_32 : tensor<61xi1>, tensor<61xf64>
    %159 = stablehlo.select %iterArg, %142, %iterArg_33 : tensor<61xi1>, tensor<61xf64>
    %160 = stablehlo.select %iterArg, %145, %iterArg_34 : tensor<61xi1>, tensor<61xf64>
    %161 = stablehlo.select %iterArg, %112, %iterArg_35 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %148, %149, %150, %151, %152, %73, %153, %154, %155, %156, %157, %158, %159, %160, %161 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %64 = stablehlo.multiply %63#1, %34 : tensor<61xf64>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %66 = stablehlo.subtract %65, %42 : tensor<61xf64>
  %67 = stablehlo.select %20, %66, %64 : tensor<61xi1>, tensor<61xf64>
  %68 = stablehlo.or %8, %4 : tensor<61xi1>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %70 = stablehlo.select %68, %69, %67 : tensor<61xi1>, tensor<61xf64>
  %cst_21 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %72 = stablehlo.select %16, %71, %70 : tensor<61xi1>, tensor<61xf64>
  return %72 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.compare EQ, %arg0, %3, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare EQ, %arg1, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %13 = stablehlo.and %4, %6 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.compare LT, %arg1, %17, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %19 = stablehlo.compare LT, %arg1, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %20 = stablehlo.or %18, %19 : tensor<61xi1>
  %21 = stablehlo.log %arg1 : tensor<61xf64>
  %22 = stablehlo.multiply %arg0, %21 : tensor<61xf64>
  %23 = stablehlo.subtract %22, %arg1 : tensor<61xf64>
  %24 = chlo.lgamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %25 = stablehlo.subtract %23, %24 : tensor<61xf64>
  %cst_5 = stablehlo.constant dense<1.7976931348623157E+308> : tensor<f64>
  %26 = stablehlo.log %cst_5 : tensor<f64>
  %27 = stablehlo.negate %26 : tensor<f64>
  %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %29 = stablehlo.compare LT, %25, %28, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %30 = stablehlo.or %16, %29 : tensor<61xi1>
  %31 = stablehlo.or %30, %8 : tensor<61xi1>
  %32 = stablehlo.or %31, %4 : tensor<61xi1>
  %33 = stablehlo.not %32 : tensor<61xi1>
  %34 = stablehlo.exponential %25 : tensor<61xf64>
  %35 = stablehlo.and %33, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %40:7 = stablehlo.while(%iterArg = %35, %iterArg_44 = %arg0, %iterArg_45 = %36, %iterArg_46 = %37, %iterArg_47 = %arg1, %iterArg_48 = %38, %iterArg_49 = %39) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %164 : tensor<i1>
  } do {
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %164 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %165 = stablehlo.add %iterArg_44, %164 : tensor<61xf64>
    %166 = stablehlo.divide %iterArg_47, %165 : tensor<61xf64>
    %167 = stablehlo.multiply %iterArg_48, %166 : tensor<61xf64>
    %168 = stablehlo.multiply %iterArg_45, %iterArg_47 : tensor<61xf64>
    %169 = stablehlo.multiply %165, %165 : tensor<61xf64>
    %170 = stablehlo.divide %168, %169 : tensor<61xf64>
    %171 = stablehlo.subtract %167, %170 : tensor<61xf64>
    %172 = stablehlo.add %iterArg_49, %171 : tensor<61xf64>
    %173 = stablehlo.divide %iterArg_47, %165 : tensor<61xf64>
    %174 = stablehlo.multiply %iterArg_45, %173 : tensor<61xf64>
    %175 = stablehlo.add %iterArg_46, %174 : tensor<61xf64>
    %176 = stablehlo.divide %174, %175 : tensor<61xf64>
    %cst_51 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %177 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %178 = stablehlo.compare GT, %176, %177, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %179 = stablehlo.and %iterArg, %178 : tensor<61xi1>
    %180 = stablehlo.select %iterArg, %165, %iterArg_44 : tensor<61xi1>, tensor<61xf64>
    %181 = stablehlo.select %iterArg, %174, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %182 = stablehlo.select %iterArg, %175, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %183 = stablehlo.select %iterArg, %iterArg_47, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %184 = stablehlo.select %iterArg, %171, %iterArg_48 : tensor<61xi1>, tensor<61xf64>
    %185 = stablehlo.select %iterArg, %172, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %179, %180, %181, %182, %183, %184, %185 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %41 = stablehlo.multiply %40#3, %34 : tensor<61xf64>
  %42 = stablehlo.divide %41, %arg0 : tensor<61xf64>
  %43 = stablehlo.not %20 : tensor<61xi1>
  %44 = stablehlo.and %33, %43 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %46 = stablehlo.subtract %45, %arg0 : tensor<61xf64>
  %47 = stablehlo.add %arg1, %46 : tensor<61xf64>
  %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %49 = stablehlo.add %47, %48 : tensor<61xf64>
  %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %52 = stablehlo.add %arg1, %51 : tensor<61xf64>
  %53 = stablehlo.multiply %49, %arg1 : tensor<61xf64>
  %54 = stablehlo.divide %52, %53 : tensor<61xf64>
  %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %55 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %59 = stablehlo.negate %arg1 : tensor<61xf64>
  %60 = stablehlo.multiply %54, %59 : tensor<61xf64>
  %61 = stablehlo.subtract %58, %60 : tensor<61xf64>
  %62 = stablehlo.divide %61, %53 : tensor<61xf64>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %63:15 = stablehlo.while(%iterArg = %44, %iterArg_44 = %54, %iterArg_45 = %55, %iterArg_46 = %46, %iterArg_47 = %49, %iterArg_48 = %cst_18, %iterArg_49 = %52, %iterArg_50 = %53, %iterArg_51 = %50, %iterArg_52 = %arg1, %iterArg_53 = %56, %iterArg_54 = %57, %iterArg_55 = %58, %iterArg_56 = %59, %iterArg_57 = %62) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_58 = stablehlo.constant dense<2.000000e+03> : tensor<f64>
    %164 = stablehlo.compare LT, %iterArg_48, %cst_58, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %165 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %166 = stablehlo.and %164, %165 : tensor<i1>
    stablehlo.return %166 : tensor<i1>
  } do {
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %164 = stablehlo.add %iterArg_48, %cst_58 : tensor<f64>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %165 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %166 = stablehlo.add %iterArg_46, %165 : tensor<61xf64>
    %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %167 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %168 = stablehlo.add %iterArg_47, %167 : tensor<61xf64>
    %169 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %170 = stablehlo.multiply %166, %169 : tensor<61xf64>
    %171 = stablehlo.multiply %iterArg_49, %168 : tensor<61xf64>
    %172 = stablehlo.multiply %iterArg_51, %170 : tensor<61xf64>
    %173 = stablehlo.subtract %171, %172 : tensor<61xf64>
    %174 = stablehlo.multiply %iterArg_50, %168 : tensor<61xf64>
    %175 = stablehlo.multiply %iterArg_52, %170 : tensor<61xf64>
    %176 = stablehlo.subtract %174, %175 : tensor<61xf64>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %177 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %178 = stablehlo.compare NE, %176, %177, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %179 = stablehlo.divide %173, %176 : tensor<61xf64>
    %180 = stablehlo.subtract %iterArg_44, %179 : tensor<61xf64>
    %181 = stablehlo.divide %180, %179 : tensor<61xf64>
    %182 = stablehlo.abs %181 : tensor<61xf64>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %183 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %184 = stablehlo.select %178, %182, %183 : tensor<61xi1>, tensor<61xf64>
    %185 = stablehlo.select %178, %179, %iterArg_44 : tensor<61xi1>, tensor<61xf64>
    %186 = stablehlo.multiply %iterArg_55, %168 : tensor<61xf64>
    %187 = stablehlo.subtract %186, %iterArg_49 : tensor<61xf64>
    %188 = stablehlo.multiply %iterArg_53, %170 : tensor<61xf64>
    %189 = stablehlo.subtract %187, %188 : tensor<61xf64>
    %190 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %191 = stablehlo.multiply %iterArg_51, %190 : tensor<61xf64>
    %192 = stablehlo.add %189, %191 : tensor<61xf64>
    %193 = stablehlo.multiply %iterArg_56, %168 : tensor<61xf64>
    %194 = stablehlo.subtract %193, %iterArg_50 : tensor<61xf64>
    %195 = stablehlo.multiply %iterArg_54, %170 : tensor<61xf64>
    %196 = stablehlo.subtract %194, %195 : tensor<61xf64>
    %197 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %198 = stablehlo.multiply %iterArg_52, %197 : tensor<61xf64>
    %199 = stablehlo.add %196, %198 : tensor<61xf64>
    %200 = stablehlo.multiply %185, %199 : tensor<61xf64>
    %201 = stablehlo.subtract %192, %200 : tensor<61xf64>
    %202 = stablehlo.divide %201, %176 : tensor<61xf64>
    %203 = stablehlo.select %178, %202, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    %204 = stablehlo.subtract %203, %iterArg_57 : tensor<61xf64>
    %205 = stablehlo.abs %204 : tensor<61xf64>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %206 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %207 = stablehlo.select %178, %205, %206 : tensor<61xi1>, tensor<61xf64>
    %208 = stablehlo.abs %173 : tensor<61xf64>
    %cst_64 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %209 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f64>) -> tensor<f64>
    %210 = stablehlo.divide %209, %cst_64 : tensor<f64>
    %211 = stablehlo.broadcast_in_dim %210, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %212 = stablehlo.compare GT, %208, %211, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_66 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %213 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %214 = stablehlo.multiply %iterArg_49, %213 : tensor<61xf64>
    %215 = stablehlo.select %212, %214, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    %cst_67 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %216 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %217 = stablehlo.multiply %173, %216 : tensor<61xf64>
    %218 = stablehlo.select %212, %217, %173 : tensor<61xi1>, tensor<61xf64>
    %cst_68 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %219 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %220 = stablehlo.multiply %iterArg_50, %219 : tensor<61xf64>
    %221 = stablehlo.select %212, %220, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %cst_69 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %222 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %223 = stablehlo.multiply %176, %222 : tensor<61xf64>
    %224 = stablehlo.select %212, %223, %176 : tensor<61xi1>, tensor<61xf64>
    %cst_70 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %225 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %226 = stablehlo.multiply %iterArg_55, %225 : tensor<61xf64>
    %227 = stablehlo.select %212, %226, %iterArg_55 : tensor<61xi1>, tensor<61xf64>
    %cst_71 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %228 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %229 = stablehlo.multiply %iterArg_56, %228 : tensor<61xf64>
    %230 = stablehlo.select %212, %229, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %cst_72 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %231 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %232 = stablehlo.multiply %192, %231 : tensor<61xf64>
    %233 = stablehlo.select %212, %232, %192 : tensor<61xi1>, tensor<61xf64>
    %cst_73 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %234 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %235 = stablehlo.multiply %199, %234 : tensor<61xf64>
    %236 = stablehlo.select %212, %235, %199 : tensor<61xi1>, tensor<61xf64>
    %cst_74 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %237 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %238 = stablehlo.compare GT, %184, %237, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %239 = stablehlo.and %iterArg, %238 : tensor<61xi1>
    %240 = stablehlo.select %iterArg, %185, %iterArg_44 : tensor<61xi1>, tensor<61xf64>
    %241 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %242 = stablehlo.select %iterArg, %166, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %243 = stablehlo.select %iterArg, %168, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %244 = stablehlo.select %iterArg, %218, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    %245 = stablehlo.select %iterArg, %224, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %246 = stablehlo.select %iterArg, %215, %iterArg_51 : tensor<61xi1>, tensor<61xf64>
    %247 = stablehlo.select %iterArg, %221, %iterArg_52 : tensor<61xi1>, tensor<61xf64>
    %248 = stablehlo.select %iterArg, %227, %iterArg_53 : tensor<61xi1>, tensor<61xf64>
    %249 = stablehlo.select %iterArg, %230, %iterArg_54 : tensor<61xi1>, tensor<61xf64>
    %250 = stablehlo.select %iterArg, %233, %iterArg_55 : tensor<61xi1>, tensor<61xf64>
    %251 = stablehlo.select %iterArg, %236, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %252 = stablehlo.select %iterArg, %203, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %239, %240, %241, %242, %243, %164, %244, %245, %246, %247, %248, %249, %250, %251, %252 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %64 = stablehlo.multiply %63#1, %34 : tensor<61xf64>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %66 = stablehlo.subtract %65, %42 : tensor<61xf64>
  %67 = stablehlo.select %20, %66, %64 : tensor<61xi1>, tensor<61xf64>
  %68 = stablehlo.or %8, %4 : tensor<61xi1>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %70 = stablehlo.select %68, %69, %67 : tensor<61xi1>, tensor<61xf64>
  %cst_21 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %72 = stablehlo.select %16, %71, %70 : tensor<61xi1>, tensor<61xf64>
  %73 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %74 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %75 = stablehlo.or %73, %74 : tensor<61xi1>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %76 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %77 = stablehlo.compare EQ, %arg1, %76, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %78 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %79 = stablehlo.compare LT, %arg1, %78, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %80 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %81 = stablehlo.compare LE, %arg0, %80, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %82 = stablehlo.or %79, %81 : tensor<61xi1>
  %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %83 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %84 = stablehlo.compare GT, %arg1, %83, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %85 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %86 = stablehlo.and %84, %85 : tensor<61xi1>
  %87 = stablehlo.log %arg1 : tensor<61xf64>
  %88 = stablehlo.multiply %arg0, %87 : tensor<61xf64>
  %89 = stablehlo.subtract %88, %arg1 : tensor<61xf64>
  %90 = chlo.lgamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %91 = stablehlo.subtract %89, %90 : tensor<61xf64>
  %cst_26 = stablehlo.constant dense<1.7976931348623157E+308> : tensor<f64>
  %92 = stablehlo.log %cst_26 : tensor<f64>
  %93 = stablehlo.negate %92 : tensor<f64>
  %94 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %95 = stablehlo.compare LT, %91, %94, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %96 = stablehlo.exponential %91 : tensor<61xf64>
  %97 = stablehlo.or %77, %82 : tensor<61xi1>
  %98 = stablehlo.or %97, %95 : tensor<61xi1>
  %99 = stablehlo.or %98, %75 : tensor<61xi1>
  %100 = stablehlo.not %99 : tensor<61xi1>
  %101 = stablehlo.and %100, %86 : tensor<61xi1>
  %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %103 = stablehlo.subtract %102, %arg0 : tensor<61xf64>
  %104 = stablehlo.add %arg1, %103 : tensor<61xf64>
  %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %106 = stablehlo.add %104, %105 : tensor<61xf64>
  %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %107 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %108 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %109 = stablehlo.add %arg1, %108 : tensor<61xf64>
  %110 = stablehlo.multiply %106, %arg1 : tensor<61xf64>
  %111 = stablehlo.divide %109, %110 : tensor<61xf64>
  %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %112 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %113 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %114 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %115 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %116 = stablehlo.negate %arg1 : tensor<61xf64>
  %117 = stablehlo.multiply %111, %116 : tensor<61xf64>
  %118 = stablehlo.subtract %115, %117 : tensor<61xf64>
  %119 = stablehlo.divide %118, %110 : tensor<61xf64>
  %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %120:15 = stablehlo.while(%iterArg = %101, %iterArg_44 = %111, %iterArg_45 = %112, %iterArg_46 = %103, %iterArg_47 = %106, %iterArg_48 = %cst_35, %iterArg_49 = %109, %iterArg_50 = %110, %iterArg_51 = %107, %iterArg_52 = %arg1, %iterArg_53 = %113, %iterArg_54 = %114, %iterArg_55 = %115, %iterArg_56 = %116, %iterArg_57 = %119) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_58 = stablehlo.constant dense<2.000000e+03> : tensor<f64>
    %164 = stablehlo.compare LT, %iterArg_48, %cst_58, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %165 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %166 = stablehlo.and %164, %165 : tensor<i1>
    stablehlo.return %166 : tensor<i1>
  } do {
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %164 = stablehlo.add %iterArg_48, %cst_58 : tensor<f64>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %165 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %166 = stablehlo.add %iterArg_46, %165 : tensor<61xf64>
    %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %167 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %168 = stablehlo.add %iterArg_47, %167 : tensor<61xf64>
    %169 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %170 = stablehlo.multiply %166, %169 : tensor<61xf64>
    %171 = stablehlo.multiply %iterArg_49, %168 : tensor<61xf64>
    %172 = stablehlo.multiply %iterArg_51, %170 : tensor<61xf64>
    %173 = stablehlo.subtract %171, %172 : tensor<61xf64>
    %174 = stablehlo.multiply %iterArg_50, %168 : tensor<61xf64>
    %175 = stablehlo.multiply %iterArg_52, %170 : tensor<61xf64>
    %176 = stablehlo.subtract %174, %175 : tensor<61xf64>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %177 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %178 = stablehlo.compare NE, %176, %177, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %179 = stablehlo.divide %173, %176 : tensor<61xf64>
    %180 = stablehlo.subtract %iterArg_44, %179 : tensor<61xf64>
    %181 = stablehlo.divide %180, %179 : tensor<61xf64>
    %182 = stablehlo.abs %181 : tensor<61xf64>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %183 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %184 = stablehlo.select %178, %182, %183 : tensor<61xi1>, tensor<61xf64>
    %185 = stablehlo.select %178, %179, %iterArg_44 : tensor<61xi1>, tensor<61xf64>
    %186 = stablehlo.multiply %iterArg_55, %168 : tensor<61xf64>
    %187 = stablehlo.subtract %186, %iterArg_49 : tensor<61xf64>
    %188 = stablehlo.multiply %iterArg_53, %170 : tensor<61xf64>
    %189 = stablehlo.subtract %187, %188 : tensor<61xf64>
    %190 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %191 = stablehlo.multiply %iterArg_51, %190 : tensor<61xf64>
    %192 = stablehlo.add %189, %191 : tensor<61xf64>
    %193 = stablehlo.multiply %iterArg_56, %168 : tensor<61xf64>
    %194 = stablehlo.subtract %193, %iterArg_50 : tensor<61xf64>
    %195 = stablehlo.multiply %iterArg_54, %170 : tensor<61xf64>
    %196 = stablehlo.subtract %194, %195 : tensor<61xf64>
    %197 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %198 = stablehlo.multiply %iterArg_52, %197 : tensor<61xf64>
    %199 = stablehlo.add %196, %198 : tensor<61xf64>
    %200 = stablehlo.multiply %185, %199 : tensor<61xf64>
    %201 = stablehlo.subtract %192, %200 : tensor<61xf64>
    %202 = stablehlo.divide %201, %176 : tensor<61xf64>
    %203 = stablehlo.select %178, %202, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    %204 = stablehlo.subtract %203, %iterArg_57 : tensor<61xf64>
    %205 = stablehlo.abs %204 : tensor<61xf64>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %206 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %207 = stablehlo.select %178, %205, %206 : tensor<61xi1>, tensor<61xf64>
    %208 = stablehlo.abs %173 : tensor<61xf64>
    %cst_64 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %209 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f64>) -> tensor<f64>
    %210 = stablehlo.divide %209, %cst_64 : tensor<f64>
    %211 = stablehlo.broadcast_in_dim %210, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %212 = stablehlo.compare GT, %208, %211, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_66 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %213 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %214 = stablehlo.multiply %iterArg_49, %213 : tensor<61xf64>
    %215 = stablehlo.select %212, %214, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    %cst_67 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %216 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %217 = stablehlo.multiply %173, %216 : tensor<61xf64>
    %218 = stablehlo.select %212, %217, %173 : tensor<61xi1>, tensor<61xf64>
    %cst_68 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %219 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %220 = stablehlo.multiply %iterArg_50, %219 : tensor<61xf64>
    %221 = stablehlo.select %212, %220, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %cst_69 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %222 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %223 = stablehlo.multiply %176, %222 : tensor<61xf64>
    %224 = stablehlo.select %212, %223, %176 : tensor<61xi1>, tensor<61xf64>
    %cst_70 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %225 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %226 = stablehlo.multiply %iterArg_55, %225 : tensor<61xf64>
    %227 = stablehlo.select %212, %226, %iterArg_55 : tensor<61xi1>, tensor<61xf64>
    %cst_71 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %228 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %229 = stablehlo.multiply %iterArg_56, %228 : tensor<61xf64>
    %230 = stablehlo.select %212, %229, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %cst_72 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %231 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %232 = stablehlo.multiply %192, %231 : tensor<61xf64>
    %233 = stablehlo.select %212, %232, %192 : tensor<61xi1>, tensor<61xf64>
    %cst_73 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %234 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %235 = stablehlo.multiply %199, %234 : tensor<61xf64>
    %236 = stablehlo.select %212, %235, %199 : tensor<61xi1>, tensor<61xf64>
    %cst_74 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %237 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %238 = stablehlo.compare GT, %207, %237, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %239 = stablehlo.and %iterArg, %238 : tensor<61xi1>
    %240 = stablehlo.select %iterArg, %185, %iterArg_44 : tensor<61xi1>, tensor<61xf64>
    %241 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %242 = stablehlo.select %iterArg, %166, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %243 = stablehlo.select %iterArg, %168, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %244 = stablehlo.select %iterArg, %218, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    %245 = stablehlo.select %iterArg, %224, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %246 = stablehlo.select %iterArg, %215, %iterArg_51 : tensor<61xi1>, tensor<61xf64>
    %247 = stablehlo.select %iterArg, %221, %iterArg_52 : tensor<61xi1>, tensor<61xf64>
    %248 = stablehlo.select %iterArg, %227, %iterArg_53 : tensor<61xi1>, tensor<61xf64>
    %249 = stablehlo.select %iterArg, %230, %iterArg_54 : tensor<61xi1>, tensor<61xf64>
    %250 = stablehlo.select %iterArg, %233, %iterArg_55 : tensor<61xi1>, tensor<61xf64>
    %251 = stablehlo.select %iterArg, %236, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %252 = stablehlo.select %iterArg, %203, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %239, %240, %241, %242, %243, %164, %244, %245, %246, %247, %248, %249, %250, %251, %252 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %121 = stablehlo.log %arg1 : tensor<61xf64>
  %122 = chlo.digamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %123 = stablehlo.subtract %121, %122 : tensor<61xf64>
  %124 = stablehlo.multiply %120#1, %123 : tensor<61xf64>
  %125 = stablehlo.add %124, %120#14 : tensor<61xf64>
  %126 = stablehlo.multiply %96, %125 : tensor<61xf64>
  %127 = stablehlo.negate %126 : tensor<61xf64>
  %128 = stablehlo.not %86 : tensor<61xi1>
  %129 = stablehlo.and %100, %128 : tensor<61xi1>
  %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %130 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %131 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %132 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %133 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %134:7 = stablehlo.while(%iterArg = %129, %iterArg_44 = %arg0, %iterArg_45 = %130, %iterArg_46 = %131, %iterArg_47 = %arg1, %iterArg_48 = %132, %iterArg_49 = %133) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %164 : tensor<i1>
  } do {
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %164 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %165 = stablehlo.add %iterArg_44, %164 : tensor<61xf64>
    %166 = stablehlo.divide %iterArg_47, %165 : tensor<61xf64>
    %167 = stablehlo.multiply %iterArg_48, %166 : tensor<61xf64>
    %168 = stablehlo.multiply %iterArg_45, %iterArg_47 : tensor<61xf64>
    %169 = stablehlo.multiply %165, %165 : tensor<61xf64>
    %170 = stablehlo.divide %168, %169 : tensor<61xf64>
    %171 = stablehlo.subtract %167, %170 : tensor<61xf64>
    %172 = stablehlo.add %iterArg_49, %171 : tensor<61xf64>
    %173 = stablehlo.divide %iterArg_47, %165 : tensor<61xf64>
    %174 = stablehlo.multiply %iterArg_45, %173 : tensor<61xf64>
    %175 = stablehlo.add %iterArg_46, %174 : tensor<61xf64>
    %176 = stablehlo.divide %171, %172 : tensor<61xf64>
    %177 = stablehlo.abs %176 : tensor<61xf64>
    %cst_51 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %178 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %179 = stablehlo.compare GT, %177, %178, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %180 = stablehlo.and %iterArg, %179 : tensor<61xi1>
    %181 = stablehlo.select %iterArg, %165, %iterArg_44 : tensor<61xi1>, tensor<61xf64>
    %182 = stablehlo.select %iterArg, %174, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %183 = stablehlo.select %iterArg, %175, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %184 = stablehlo.select %iterArg, %iterArg_47, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %185 = stablehlo.select %iterArg, %171, %iterArg_48 : tensor<61xi1>, tensor<61xf64>
    %186 = stablehlo.select %iterArg, %172, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %180, %181, %182, %183, %184, %185, %186 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %135 = stablehlo.log %arg1 : tensor<61xf64>
  %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %136 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %137 = stablehlo.add %arg0, %136 : tensor<61xf64>
  %138 = chlo.digamma %137 : tensor<61xf64> -> tensor<61xf64>
  %139 = stablehlo.subtract %135, %138 : tensor<61xf64>
  %140 = stablehlo.multiply %134#3, %139 : tensor<61xf64>
  %141 = stablehlo.add %140, %134#6 : tensor<61xf64>
  %142 = stablehlo.multiply %96, %141 : tensor<61xf64>
  %143 = stablehlo.divide %142, %arg0 : tensor<61xf64>
  %144 = stablehlo.select %86, %127, %143 : tensor<61xi1>, tensor<61xf64>
  %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %145 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %146 = stablehlo.select %77, %145, %144 : tensor<61xi1>, tensor<61xf64>
  %147 = stablehlo.or %82, %75 : tensor<61xi1>
  %cst_42 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %148 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %149 = stablehlo.select %147, %148, %146 : tensor<61xi1>, tensor<61xf64>
  %150 = stablehlo.multiply %arg2, %149 : tensor<61xf64>
  %151 = stablehlo.negate %150 : tensor<61xf64>
  %152 = stablehlo.negate %arg1 : tensor<61xf64>
  %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %153 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %154 = stablehlo.subtract %arg0, %153 : tensor<61xf64>
  %155 = stablehlo.log %arg1 : tensor<61xf64>
  %156 = stablehlo.multiply %154, %155 : tensor<61xf64>
  %157 = stablehlo.add %152, %156 : tensor<61xf64>
  %158 = chlo.lgamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %159 = stablehlo.subtract %157, %158 : tensor<61xf64>
  %160 = stablehlo.exponential %159 : tensor<61xf64>
  %161 = stablehlo.multiply %arg3, %160 : tensor<61xf64>
  %162 = stablehlo.negate %161 : tensor<61xf64>
  %163 = stablehlo.add %151, %162 : tensor<61xf64>
  return %72, %163 : tensor<61xf64>, tensor<61xf64>
}
