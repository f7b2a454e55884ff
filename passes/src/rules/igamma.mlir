// igamma, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f32(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.compare EQ, %arg1, %3, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare EQ, %arg0, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %13 = stablehlo.and %6, %8 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.compare GE, %arg1, %17, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %19 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %20 = stablehlo.and %18, %19 : tensor<61xi1>
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
  %30 = stablehlo.exponential %25 : tensor<61xf32>
  %31 = stablehlo.or %8, %16 : tensor<61xi1>
  %32 = stablehlo.or %31, %29 : tensor<61xi1>
  %33 = stablehlo.or %32, %4 : tensor<61xi1>
  %34 = stablehlo.not %33 : tensor<61xi1>
  %35 = stablehlo.and %34, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %37 = stablehlo.subtract %36, %arg0 : tensor<61xf32>
  %38 = stablehlo.add %arg1, %37 : tensor<61xf32>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40 = stablehlo.add %38, %39 : tensor<61xf32>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %43 = stablehlo.add %arg1, %42 : tensor<61xf32>
  %44 = stablehlo.multiply %40, %arg1 : tensor<61xf32>
  %45 = stablehlo.divide %43, %44 : tensor<61xf32>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %50 = stablehlo.negate %arg1 : tensor<61xf32>
  %51 = stablehlo.multiply %45, %50 : tensor<61xf32>
  %52 = stablehlo.subtract %49, %51 : tensor<61xf32>
  %53 = stablehlo.divide %52, %44 : tensor<61xf32>
  %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %54:15 = stablehlo.while(%iterArg = %35, %iterArg_23 = %45, %iterArg_24 = %46, %iterArg_25 = %37, %iterArg_26 = %40, %iterArg_27 = %cst_14, %iterArg_28 = %43, %iterArg_29 = %44, %iterArg_30 = %41, %iterArg_31 = %arg1, %iterArg_32 = %47, %iterArg_33 = %48, %iterArg_34 = %49, %iterArg_35 = %50, %iterArg_36 = %53) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_37 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
    %74 = stablehlo.compare LT, %iterArg_27, %cst_37, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %75 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %76 = stablehlo.and %74, %75 : tensor<i1>
    stablehlo.return %76 : tensor<i1>
  } do {
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.add %iterArg_27, %cst_37 : tensor<f32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %76 = stablehlo.add %iterArg_25, %75 : tensor<61xf32>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %78 = stablehlo.add %iterArg_26, %77 : tensor<61xf32>
    %79 = stablehlo.broadcast_in_dim %74, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %80 = stablehlo.multiply %76, %79 : tensor<61xf32>
    %81 = stablehlo.multiply %iterArg_28, %78 : tensor<61xf32>
    %82 = stablehlo.multiply %iterArg_30, %80 : tensor<61xf32>
    %83 = stablehlo.subtract %81, %82 : tensor<61xf32>
    %84 = stablehlo.multiply %iterArg_29, %78 : tensor<61xf32>
    %85 = stablehlo.multiply %iterArg_31, %80 : tensor<61xf32>
    %86 = stablehlo.subtract %84, %85 : tensor<61xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %88 = stablehlo.compare NE, %86, %87, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %89 = stablehlo.divide %83, %86 : tensor<61xf32>
    %90 = stablehlo.subtract %iterArg_23, %89 : tensor<61xf32>
    %91 = stablehlo.divide %90, %89 : tensor<61xf32>
    %92 = stablehlo.abs %91 : tensor<61xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %94 = stablehlo.select %88, %92, %93 : tensor<61xi1>, tensor<61xf32>
    %95 = stablehlo.select %88, %89, %iterArg_23 : tensor<61xi1>, tensor<61xf32>
    %96 = stablehlo.multiply %iterArg_34, %78 : tensor<61xf32>
    %97 = stablehlo.subtract %96, %iterArg_28 : tensor<61xf32>
    %98 = stablehlo.multiply %iterArg_32, %80 : tensor<61xf32>
    %99 = stablehlo.subtract %97, %98 : tensor<61xf32>
    %100 = stablehlo.broadcast_in_dim %74, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %101 = stablehlo.multiply %iterArg_30, %100 : tensor<61xf32>
    %102 = stablehlo.add %99, %101 : tensor<61xf32>
    %103 = stablehlo.multiply %iterArg_35, %78 : tensor<61xf32>
    %104 = stablehlo.subtract %103, %iterArg_29 : tensor<61xf32>
    %105 = stablehlo.multiply %iterArg_33, %80 : tensor<61xf32>
    %106 = stablehlo.subtract %104, %105 : tensor<61xf32>
    %107 = stablehlo.broadcast_in_dim %74, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %108 = stablehlo.multiply %iterArg_31, %107 : tensor<61xf32>
    %109 = stablehlo.add %106, %108 : tensor<61xf32>
    %110 = stablehlo.multiply %95, %109 : tensor<61xf32>
    %111 = stablehlo.subtract %102, %110 : tensor<61xf32>
    %112 = stablehlo.divide %111, %86 : tensor<61xf32>
    %113 = stablehlo.select %88, %112, %iterArg_36 : tensor<61xi1>, tensor<61xf32>
    %114 = stablehlo.subtract %113, %iterArg_36 : tensor<61xf32>
    %115 = stablehlo.abs %114 : tensor<61xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %117 = stablehlo.select %88, %115, %116 : tensor<61xi1>, tensor<61xf32>
    %118 = stablehlo.abs %83 : tensor<61xf32>
    %cst_43 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<f32>
    %120 = stablehlo.divide %119, %cst_43 : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %122 = stablehlo.compare GT, %118, %121, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_45 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %124 = stablehlo.multiply %iterArg_28, %123 : tensor<61xf32>
    %125 = stablehlo.select %122, %124, %iterArg_28 : tensor<61xi1>, tensor<61xf32>
    %cst_46 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %127 = stablehlo.multiply %83, %126 : tensor<61xf32>
    %128 = stablehlo.select %122, %127, %83 : tensor<61xi1>, tensor<61xf32>
    %cst_47 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %130 = stablehlo.multiply %iterArg_29, %129 : tensor<61xf32>
    %131 = stablehlo.select %122, %130, %iterArg_29 : tensor<61xi1>, tensor<61xf32>
    %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %133 = stablehlo.multiply %86, %132 : tensor<61xf32>
    %134 = stablehlo.select %122, %133, %86 : tensor<61xi1>, tensor<61xf32>
    %cst_49 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %136 = stablehlo.multiply %iterArg_34, %135 : tensor<61xf32>
    %137 = stablehlo.select %122, %136, %iterArg_34 : tensor<61xi1>, tensor<61xf32>
    %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %139 = stablehlo.multiply %iterArg_35, %138 : tensor<61xf32>
    %140 = stablehlo.select %122, %139, %iterArg_35 : tensor<61xi1>, tensor<61xf32>
    %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %142 = stablehlo.multiply %102, %141 : tensor<61xf32>
    %143 = stablehlo.select %122, %142, %102 : tensor<61xi1>, tensor<61xf32>
    %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %145 = stablehlo.multiply %109, %144 : tensor<61xf32>
    %146 = stablehlo.select %122, %145, %109 : tensor<61xi1>, tensor<61xf32>
    %cst_53 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %148 = stablehlo.compare GT, %94, %147, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %149 = stablehlo.and %iterArg, %148 : tensor<61xi1>
    %150 = stablehlo.select %iterArg, %95, %iterArg_23 : tensor<61xi1>, tensor<61xf32>
    %151 = stablehlo.select %iterArg, %94, %iterArg_24 : tensor<61xi1>, tensor<61xf32>
    %152 = stablehlo.select %iterArg, %76, %iterArg_25 : tensor<61xi1>, tensor<61xf32>
    %153 = stablehlo.select %iterArg, %78, %iterArg_26 : tensor<61xi1>, tensor<61xf32>
    %154 = stablehlo.select %iterArg, %128, %iterArg_28 : tensor<61xi1>, tensor<61xf32>
    %155 = stablehlo.select %iterArg, %134, %iterArg_29 : tensor<61xi1>, tensor<61xf32>
    %156 = stablehlo.select %iterArg, %125, %iterArg_30 : tensor<61xi1>, tensor<61xf32>
    %157 = stablehlo.select %iterArg, %131, %iterArg_31 : tensor<61xi1>, tensor<61xf32>
    %158 = stablehlo.select %iterArg, %137, %iterArg_32 : tensor<61xi1>, tensor<61xf32>
    %159 = stablehlo.select %iterArg, %140, %iterArg_33 : tensor<61xi1>, tensor<61xf32>
    %160 = stablehlo.select %iterArg, %143, %iterArg_34 : tensor<61xi1>, tensor<61xf32>
    %161 = stablehlo.select %iterArg, %146, %iterArg_35 : tensor<61xi1>, tensor<61xf32>
    %162 = stablehlo.select %iterArg, %113, %iterArg_36 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %149, %150, %151, %152, %153, %74, %154, %155, %156, %157, %158, %159, %160, %161, %162 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %55 = stablehlo.multiply %54#1, %30 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %57 = stablehlo.subtract %56, %55 : tensor<61xf32>
  %58 = stablehlo.not %20 : tensor<61xi1>
  %59 = stablehlo.and %34, %58 : tensor<61xi1>
  %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %60 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %63 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %64:7 = stablehlo.while(%iterArg = %59, %iterArg_23 = %arg0, %iterArg_24 = %60, %iterArg_25 = %61, %iterArg_26 = %arg1, %iterArg_27 = %62, %iterArg_28 = %63) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %74 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %74 : tensor<i1>
  } do {
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %75 = stablehlo.add %iterArg_23, %74 : tensor<61xf32>
    %76 = stablehlo.divide %iterArg_26, %75 : tensor<61xf32>
    %77 = stablehlo.multiply %iterArg_27, %76 : tensor<61xf32>
    %78 = stablehlo.multiply %iterArg_24, %iterArg_26 : tensor<61xf32>
    %79 = stablehlo.multiply %75, %75 : tensor<61xf32>
    %80 = stablehlo.divide %78, %79 : tensor<61xf32>
    %81 = stablehlo.subtract %77, %80 : tensor<61xf32>
    %82 = stablehlo.add %iterArg_28, %81 : tensor<61xf32>
    %83 = stablehlo.divide %iterArg_26, %75 : tensor<61xf32>
    %84 = stablehlo.multiply %iterArg_24, %83 : tensor<61xf32>
    %85 = stablehlo.add %iterArg_25, %84 : tensor<61xf32>
    %86 = stablehlo.divide %84, %85 : tensor<61xf32>
    %cst_30 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %88 = stablehlo.compare GT, %86, %87, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %89 = stablehlo.and %iterArg, %88 : tensor<61xi1>
    %90 = stablehlo.select %iterArg, %75, %iterArg_23 : tensor<61xi1>, tensor<61xf32>
    %91 = stablehlo.select %iterArg, %84, %iterArg_24 : tensor<61xi1>, tensor<61xf32>
    %92 = stablehlo.select %iterArg, %85, %iterArg_25 : tensor<61xi1>, tensor<61xf32>
    %93 = stablehlo.select %iterArg, %iterArg_26, %iterArg_26 : tensor<61xi1>, tensor<61xf32>
    %94 = stablehlo.select %iterArg, %81, %iterArg_27 : tensor<61xi1>, tensor<61xf32>
    %95 = stablehlo.select %iterArg, %82, %iterArg_28 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %89, %90, %91, %92, %93, %94, %95 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %65 = stablehlo.multiply %64#3, %30 : tensor<61xf32>
  %66 = stablehlo.divide %65, %arg0 : tensor<61xf32>
  %67 = stablehlo.select %20, %57, %66 : tensor<61xi1>, tensor<61xf32>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %69 = stablehlo.select %8, %68, %67 : tensor<61xi1>, tensor<61xf32>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %71 = stablehlo.select %4, %70, %69 : tensor<61xi1>, tensor<61xf32>
  %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %72 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %73 = stablehlo.select %16, %72, %71 : tensor<61xi1>, tensor<61xf32>
  return %73 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.compare EQ, %arg1, %3, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare EQ, %arg0, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %13 = stablehlo.and %6, %8 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.compare GE, %arg1, %17, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %19 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %20 = stablehlo.and %18, %19 : tensor<61xi1>
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
  %30 = stablehlo.exponential %25 : tensor<61xf32>
  %31 = stablehlo.or %8, %16 : tensor<61xi1>
  %32 = stablehlo.or %31, %29 : tensor<61xi1>
  %33 = stablehlo.or %32, %4 : tensor<61xi1>
  %34 = stablehlo.not %33 : tensor<61xi1>
  %35 = stablehlo.and %34, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %37 = stablehlo.subtract %36, %arg0 : tensor<61xf32>
  %38 = stablehlo.add %arg1, %37 : tensor<61xf32>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40 = stablehlo.add %38, %39 : tensor<61xf32>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %43 = stablehlo.add %arg1, %42 : tensor<61xf32>
  %44 = stablehlo.multiply %40, %arg1 : tensor<61xf32>
  %45 = stablehlo.divide %43, %44 : tensor<61xf32>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %50 = stablehlo.negate %arg1 : tensor<61xf32>
  %51 = stablehlo.multiply %45, %50 : tensor<61xf32>
  %52 = stablehlo.subtract %49, %51 : tensor<61xf32>
  %53 = stablehlo.divide %52, %44 : tensor<61xf32>
  %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %54:15 = stablehlo.while(%iterArg = %35, %iterArg_45 = %45, %iterArg_46 = %46, %iterArg_47 = %37, %iterArg_48 = %40, %iterArg_49 = %cst_14, %iterArg_50 = %43, %iterArg_51 = %44, %iterArg_52 = %41, %iterArg_53 = %arg1, %iterArg_54 = %47, %iterArg_55 = %48, %iterArg_56 = %49, %iterArg_57 = %50, %iterArg_58 = %53) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_59 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
    %163 = stablehlo.compare LT, %iterArg_49, %cst_59, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %165 = stablehlo.and %163, %164 : tensor<i1>
    stablehlo.return %165 : tensor<i1>
  } do {
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %163 = stablehlo.add %iterArg_49, %cst_59 : tensor<f32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %165 = stablehlo.add %iterArg_47, %164 : tensor<61xf32>
    %cst_61 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %167 = stablehlo.add %iterArg_48, %166 : tensor<61xf32>
    %168 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %169 = stablehlo.multiply %165, %168 : tensor<61xf32>
    %170 = stablehlo.multiply %iterArg_50, %167 : tensor<61xf32>
    %171 = stablehlo.multiply %iterArg_52, %169 : tensor<61xf32>
    %172 = stablehlo.subtract %170, %171 : tensor<61xf32>
    %173 = stablehlo.multiply %iterArg_51, %167 : tensor<61xf32>
    %174 = stablehlo.multiply %iterArg_53, %169 : tensor<61xf32>
    %175 = stablehlo.subtract %173, %174 : tensor<61xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %177 = stablehlo.compare NE, %175, %176, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %178 = stablehlo.divide %172, %175 : tensor<61xf32>
    %179 = stablehlo.subtract %iterArg_45, %178 : tensor<61xf32>
    %180 = stablehlo.divide %179, %178 : tensor<61xf32>
    %181 = stablehlo.abs %180 : tensor<61xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %183 = stablehlo.select %177, %181, %182 : tensor<61xi1>, tensor<61xf32>
    %184 = stablehlo.select %177, %178, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %185 = stablehlo.multiply %iterArg_56, %167 : tensor<61xf32>
    %186 = stablehlo.subtract %185, %iterArg_50 : tensor<61xf32>
    %187 = stablehlo.multiply %iterArg_54, %169 : tensor<61xf32>
    %188 = stablehlo.subtract %186, %187 : tensor<61xf32>
    %189 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %190 = stablehlo.multiply %iterArg_52, %189 : tensor<61xf32>
    %191 = stablehlo.add %188, %190 : tensor<61xf32>
    %192 = stablehlo.multiply %iterArg_57, %167 : tensor<61xf32>
    %193 = stablehlo.subtract %192, %iterArg_51 : tensor<61xf32>
    %194 = stablehlo.multiply %iterArg_55, %169 : tensor<61xf32>
    %195 = stablehlo.subtract %193, %194 : tensor<61xf32>
    %196 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %197 = stablehlo.multiply %iterArg_53, %196 : tensor<61xf32>
    %198 = stablehlo.add %195, %197 : tensor<61xf32>
    %199 = stablehlo.multiply %184, %198 : tensor<61xf32>
    %200 = stablehlo.subtract %191, %199 : tensor<61xf32>
    %201 = stablehlo.divide %200, %175 : tensor<61xf32>
    %202 = stablehlo.select %177, %201, %iterArg_58 : tensor<61xi1>, tensor<61xf32>
    %203 = stablehlo.subtract %202, %iterArg_58 : tensor<61xf32>
    %204 = stablehlo.abs %203 : tensor<61xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %206 = stablehlo.select %177, %204, %205 : tensor<61xi1>, tensor<61xf32>
    %207 = stablehlo.abs %172 : tensor<61xf32>
    %cst_65 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<f32>
    %209 = stablehlo.divide %208, %cst_65 : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %211 = stablehlo.compare GT, %207, %210, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_67 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %213 = stablehlo.multiply %iterArg_50, %212 : tensor<61xf32>
    %214 = stablehlo.select %211, %213, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %cst_68 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %216 = stablehlo.multiply %172, %215 : tensor<61xf32>
    %217 = stablehlo.select %211, %216, %172 : tensor<61xi1>, tensor<61xf32>
    %cst_69 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %219 = stablehlo.multiply %iterArg_51, %218 : tensor<61xf32>
    %220 = stablehlo.select %211, %219, %iterArg_51 : tensor<61xi1>, tensor<61xf32>
    %cst_70 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %222 = stablehlo.multiply %175, %221 : tensor<61xf32>
    %223 = stablehlo.select %211, %222, %175 : tensor<61xi1>, tensor<61xf32>
    %cst_71 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %225 = stablehlo.multiply %iterArg_56, %224 : tensor<61xf32>
    %226 = stablehlo.select %211, %225, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %cst_72 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %228 = stablehlo.multiply %iterArg_57, %227 : tensor<61xf32>
    %229 = stablehlo.select %211, %228, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    %cst_73 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %231 = stablehlo.multiply %191, %230 : tensor<61xf32>
    %232 = stablehlo.select %211, %231, %191 : tensor<61xi1>, tensor<61xf32>
    %cst_74 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %234 = stablehlo.multiply %198, %233 : tensor<61xf32>
    %235 = stablehlo.select %211, %234, %198 : tensor<61xi1>, tensor<61xf32>
    %cst_75 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %237 = stablehlo.compare GT, %183, %236, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %238 = stablehlo.and %iterArg, %237 : tensor<61xi1>
    %239 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %240 = stablehlo.select %iterArg, %183, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %241 = stablehlo.select %iterArg, %165, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %242 = stablehlo.select %iterArg, %167, %iterArg_48 : tensor<61xi1>, tensor<61xf32>
    %243 = stablehlo.select %iterArg, %217, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %244 = stablehlo.select %iterArg, %223, %iterArg_51 : tensor<61xi1>, tensor<61xf32>
    %245 = stablehlo.select %iterArg, %214, %iterArg_52 : tensor<61xi1>, tensor<61xf32>
    %246 = stablehlo.select %iterArg, %220, %iterArg_53 : tensor<61xi1>, tensor<61xf32>
    %247 = stablehlo.select %iterArg, %226, %iterArg_54 : tensor<61xi1>, tensor<61xf32>
    %248 = stablehlo.select %iterArg, %229, %iterArg_55 : tensor<61xi1>, tensor<61xf32>
    %249 = stablehlo.select %iterArg, %232, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %250 = stablehlo.select %iterArg, %235, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    %251 = stablehlo.select %iterArg, %202, %iterArg_58 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %238, %239, %240, %241, %242, %163, %243, %244, %245, %246, %247, %248, %249, %250, %251 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %55 = stablehlo.multiply %54#1, %30 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %57 = stablehlo.subtract %56, %55 : tensor<61xf32>
  %58 = stablehlo.not %20 : tensor<61xi1>
  %59 = stablehlo.and %34, %58 : tensor<61xi1>
  %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %60 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %63 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %64:7 = stablehlo.while(%iterArg = %59, %iterArg_45 = %arg0, %iterArg_46 = %60, %iterArg_47 = %61, %iterArg_48 = %arg1, %iterArg_49 = %62, %iterArg_50 = %63) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %163 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %163 : tensor<i1>
  } do {
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %164 = stablehlo.add %iterArg_45, %163 : tensor<61xf32>
    %165 = stablehlo.divide %iterArg_48, %164 : tensor<61xf32>
    %166 = stablehlo.multiply %iterArg_49, %165 : tensor<61xf32>
    %167 = stablehlo.multiply %iterArg_46, %iterArg_48 : tensor<61xf32>
    %168 = stablehlo.multiply %164, %164 : tensor<61xf32>
    %169 = stablehlo.divide %167, %168 : tensor<61xf32>
    %170 = stablehlo.subtract %166, %169 : tensor<61xf32>
    %171 = stablehlo.add %iterArg_50, %170 : tensor<61xf32>
    %172 = stablehlo.divide %iterArg_48, %164 : tensor<61xf32>
    %173 = stablehlo.multiply %iterArg_46, %172 : tensor<61xf32>
    %174 = stablehlo.add %iterArg_47, %173 : tensor<61xf32>
    %175 = stablehlo.divide %173, %174 : tensor<61xf32>
    %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %177 = stablehlo.compare GT, %175, %176, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %178 = stablehlo.and %iterArg, %177 : tensor<61xi1>
    %179 = stablehlo.select %iterArg, %164, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %180 = stablehlo.select %iterArg, %173, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %181 = stablehlo.select %iterArg, %174, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %182 = stablehlo.select %iterArg, %iterArg_48, %iterArg_48 : tensor<61xi1>, tensor<61xf32>
    %183 = stablehlo.select %iterArg, %170, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    %184 = stablehlo.select %iterArg, %171, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %178, %179, %180, %181, %182, %183, %184 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %65 = stablehlo.multiply %64#3, %30 : tensor<61xf32>
  %66 = stablehlo.divide %65, %arg0 : tensor<61xf32>
  %67 = stablehlo.select %20, %57, %66 : tensor<61xi1>, tensor<61xf32>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %69 = stablehlo.select %8, %68, %67 : tensor<61xi1>, tensor<61xf32>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %71 = stablehlo.select %4, %70, %69 : tensor<61xi1>, tensor<61xf32>
  %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %72 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %73 = stablehlo.select %16, %72, %71 : tensor<61xi1>, tensor<61xf32>
  %74 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %75 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %76 = stablehlo.or %74, %75 : tensor<61xi1>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %77 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %78 = stablehlo.compare EQ, %arg1, %77, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %79 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %80 = stablehlo.compare LT, %arg1, %79, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %81 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %82 = stablehlo.compare LE, %arg0, %81, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %83 = stablehlo.or %80, %82 : tensor<61xi1>
  %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %84 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %85 = stablehlo.compare GT, %arg1, %84, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %86 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %87 = stablehlo.and %85, %86 : tensor<61xi1>
  %88 = stablehlo.log %arg1 : tensor<61xf32>
  %89 = stablehlo.multiply %arg0, %88 : tensor<61xf32>
  %90 = stablehlo.subtract %89, %arg1 : tensor<61xf32>
  %91 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %92 = stablehlo.subtract %90, %91 : tensor<61xf32>
  %cst_27 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
  %93 = stablehlo.log %cst_27 : tensor<f32>
  %94 = stablehlo.negate %93 : tensor<f32>
  %95 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %96 = stablehlo.compare LT, %92, %95, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %97 = stablehlo.exponential %92 : tensor<61xf32>
  %98 = stablehlo.or %78, %83 : tensor<61xi1>
  %99 = stablehlo.or %98, %96 : tensor<61xi1>
  %100 = stablehlo.or %99, %76 : tensor<61xi1>
  %101 = stablehlo.not %100 : tensor<61xi1>
  %102 = stablehlo.and %101, %87 : tensor<61xi1>
  %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %103 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %104 = stablehlo.subtract %103, %arg0 : tensor<61xf32>
  %105 = stablehlo.add %arg1, %104 : tensor<61xf32>
  %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %106 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %107 = stablehlo.add %105, %106 : tensor<61xf32>
  %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %108 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %109 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %110 = stablehlo.add %arg1, %109 : tensor<61xf32>
  %111 = stablehlo.multiply %107, %arg1 : tensor<61xf32>
  %112 = stablehlo.divide %110, %111 : tensor<61xf32>
  %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %113 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %114 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %115 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %116 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %117 = stablehlo.negate %arg1 : tensor<61xf32>
  %118 = stablehlo.multiply %112, %117 : tensor<61xf32>
  %119 = stablehlo.subtract %116, %118 : tensor<61xf32>
  %120 = stablehlo.divide %119, %111 : tensor<61xf32>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %121:15 = stablehlo.while(%iterArg = %102, %iterArg_45 = %112, %iterArg_46 = %113, %iterArg_47 = %104, %iterArg_48 = %107, %iterArg_49 = %cst_36, %iterArg_50 = %110, %iterArg_51 = %111, %iterArg_52 = %108, %iterArg_53 = %arg1, %iterArg_54 = %114, %iterArg_55 = %115, %iterArg_56 = %116, %iterArg_57 = %117, %iterArg_58 = %120) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %cst_59 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
    %163 = stablehlo.compare LT, %iterArg_49, %cst_59, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %165 = stablehlo.and %163, %164 : tensor<i1>
    stablehlo.return %165 : tensor<i1>
  } do {
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %163 = stablehlo.add %iterArg_49, %cst_59 : tensor<f32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %165 = stablehlo.add %iterArg_47, %164 : tensor<61xf32>
    %cst_61 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %167 = stablehlo.add %iterArg_48, %166 : tensor<61xf32>
    %168 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %169 = stablehlo.multiply %165, %168 : tensor<61xf32>
    %170 = stablehlo.multiply %iterArg_50, %167 : tensor<61xf32>
    %171 = stablehlo.multiply %iterArg_52, %169 : tensor<61xf32>
    %172 = stablehlo.subtract %170, %171 : tensor<61xf32>
    %173 = stablehlo.multiply %iterArg_51, %167 : tensor<61xf32>
    %174 = stablehlo.multiply %iterArg_53, %169 : tensor<61xf32>
    %175 = stablehlo.subtract %173, %174 : tensor<61xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %177 = stablehlo.compare NE, %175, %176, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %178 = stablehlo.divide %172, %175 : tensor<61xf32>
    %179 = stablehlo.subtract %iterArg_45, %178 : tensor<61xf32>
    %180 = stablehlo.divide %179, %178 : tensor<61xf32>
    %181 = stablehlo.abs %180 : tensor<61xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %183 = stablehlo.select %177, %181, %182 : tensor<61xi1>, tensor<61xf32>
    %184 = stablehlo.select %177, %178, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %185 = stablehlo.multiply %iterArg_56, %167 : tensor<61xf32>
    %186 = stablehlo.subtract %185, %iterArg_50 : tensor<61xf32>
    %187 = stablehlo.multiply %iterArg_54, %169 : tensor<61xf32>
    %188 = stablehlo.subtract %186, %187 : tensor<61xf32>
    %189 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %190 = stablehlo.multiply %iterArg_52, %189 : tensor<61xf32>
    %191 = stablehlo.add %188, %190 : tensor<61xf32>
    %192 = stablehlo.multiply %iterArg_57, %167 : tensor<61xf32>
    %193 = stablehlo.subtract %192, %iterArg_51 : tensor<61xf32>
    %194 = stablehlo.multiply %iterArg_55, %169 : tensor<61xf32>
    %195 = stablehlo.subtract %193, %194 : tensor<61xf32>
    %196 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %197 = stablehlo.multiply %iterArg_53, %196 : tensor<61xf32>
    %198 = stablehlo.add %195, %197 : tensor<61xf32>
    %199 = stablehlo.multiply %184, %198 : tensor<61xf32>
    %200 = stablehlo.subtract %191, %199 : tensor<61xf32>
    %201 = stablehlo.divide %200, %175 : tensor<61xf32>
    %202 = stablehlo.select %177, %201, %iterArg_58 : tensor<61xi1>, tensor<61xf32>
    %203 = stablehlo.subtract %202, %iterArg_58 : tensor<61xf32>
    %204 = stablehlo.abs %203 : tensor<61xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %206 = stablehlo.select %177, %204, %205 : tensor<61xi1>, tensor<61xf32>
    %207 = stablehlo.abs %172 : tensor<61xf32>
    %cst_65 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<f32>
    %209 = stablehlo.divide %208, %cst_65 : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %211 = stablehlo.compare GT, %207, %210, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %cst_67 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %213 = stablehlo.multiply %iterArg_50, %212 : tensor<61xf32>
    %214 = stablehlo.select %211, %213, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %cst_68 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %216 = stablehlo.multiply %172, %215 : tensor<61xf32>
    %217 = stablehlo.select %211, %216, %172 : tensor<61xi1>, tensor<61xf32>
    %cst_69 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %219 = stablehlo.multiply %iterArg_51, %218 : tensor<61xf32>
    %220 = stablehlo.select %211, %219, %iterArg_51 : tensor<61xi1>, tensor<61xf32>
    %cst_70 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %222 = stablehlo.multiply %175, %221 : tensor<61xf32>
    %223 = stablehlo.select %211, %222, %175 : tensor<61xi1>, tensor<61xf32>
    %cst_71 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %225 = stablehlo.multiply %iterArg_56, %224 : tensor<61xf32>
    %226 = stablehlo.select %211, %225, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %cst_72 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %228 = stablehlo.multiply %iterArg_57, %227 : tensor<61xf32>
    %229 = stablehlo.select %211, %228, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    %cst_73 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %231 = stablehlo.multiply %191, %230 : tensor<61xf32>
    %232 = stablehlo.select %211, %231, %191 : tensor<61xi1>, tensor<61xf32>
    %cst_74 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %234 = stablehlo.multiply %198, %233 : tensor<61xf32>
    %235 = stablehlo.select %211, %234, %198 : tensor<61xi1>, tensor<61xf32>
    %cst_75 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %237 = stablehlo.compare GT, %206, %236, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %238 = stablehlo.and %iterArg, %237 : tensor<61xi1>
    %239 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %240 = stablehlo.select %iterArg, %183, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %241 = stablehlo.select %iterArg, %165, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %242 = stablehlo.select %iterArg, %167, %iterArg_48 : tensor<61xi1>, tensor<61xf32>
    %243 = stablehlo.select %iterArg, %217, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    %244 = stablehlo.select %iterArg, %223, %iterArg_51 : tensor<61xi1>, tensor<61xf32>
    %245 = stablehlo.select %iterArg, %214, %iterArg_52 : tensor<61xi1>, tensor<61xf32>
    %246 = stablehlo.select %iterArg, %220, %iterArg_53 : tensor<61xi1>, tensor<61xf32>
    %247 = stablehlo.select %iterArg, %226, %iterArg_54 : tensor<61xi1>, tensor<61xf32>
    %248 = stablehlo.select %iterArg, %229, %iterArg_55 : tensor<61xi1>, tensor<61xf32>
    %249 = stablehlo.select %iterArg, %232, %iterArg_56 : tensor<61xi1>, tensor<61xf32>
    %250 = stablehlo.select %iterArg, %235, %iterArg_57 : tensor<61xi1>, tensor<61xf32>
    %251 = stablehlo.select %iterArg, %202, %iterArg_58 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %238, %239, %240, %241, %242, %163, %243, %244, %245, %246, %247, %248, %249, %250, %251 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<f32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %122 = stablehlo.log %arg1 : tensor<61xf32>
  %123 = chlo.digamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %124 = stablehlo.subtract %122, %123 : tensor<61xf32>
  %125 = stablehlo.multiply %121#1, %124 : tensor<61xf32>
  %126 = stablehlo.add %125, %121#14 : tensor<61xf32>
  %127 = stablehlo.multiply %97, %126 : tensor<61xf32>
  %128 = stablehlo.negate %127 : tensor<61xf32>
  %129 = stablehlo.not %87 : tensor<61xi1>
  %130 = stablehlo.and %101, %129 : tensor<61xi1>
  %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %131 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %132 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %133 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %134 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %135:7 = stablehlo.while(%iterArg = %130, %iterArg_45 = %arg0, %iterArg_46 = %131, %iterArg_47 = %132, %iterArg_48 = %arg1, %iterArg_49 = %133, %iterArg_50 = %134) : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %163 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %163 : tensor<i1>
  } do {
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %164 = stablehlo.add %iterArg_45, %163 : tensor<61xf32>
    %165 = stablehlo.divide %iterArg_48, %164 : tensor<61xf32>
    %166 = stablehlo.multiply %iterArg_49, %165 : tensor<61xf32>
    %167 = stablehlo.multiply %iterArg_46, %iterArg_48 : tensor<61xf32>
    %168 = stablehlo.multiply %164, %164 : tensor<61xf32>
    %169 = stablehlo.divide %167, %168 : tensor<61xf32>
    %170 = stablehlo.subtract %166, %169 : tensor<61xf32>
    %171 = stablehlo.add %iterArg_50, %170 : tensor<61xf32>
    %172 = stablehlo.divide %iterArg_48, %164 : tensor<61xf32>
    %173 = stablehlo.multiply %iterArg_46, %172 : tensor<61xf32>
    %174 = stablehlo.add %iterArg_47, %173 : tensor<61xf32>
    %175 = stablehlo.divide %170, %171 : tensor<61xf32>
    %176 = stablehlo.abs %175 : tensor<61xf32>
    %cst_52 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<61xf32>
    %178 = stablehlo.compare GT, %176, %177, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
    %179 = stablehlo.and %iterArg, %178 : tensor<61xi1>
    %180 = stablehlo.select %iterArg, %164, %iterArg_45 : tensor<61xi1>, tensor<61xf32>
    %181 = stablehlo.select %iterArg, %173, %iterArg_46 : tensor<61xi1>, tensor<61xf32>
    %182 = stablehlo.select %iterArg, %174, %iterArg_47 : tensor<61xi1>, tensor<61xf32>
    %183 = stablehlo.select %iterArg, %iterArg_48, %iterArg_48 : tensor<61xi1>, tensor<61xf32>
    %184 = stablehlo.select %iterArg, %170, %iterArg_49 : tensor<61xi1>, tensor<61xf32>
    %185 = stablehlo.select %iterArg, %171, %iterArg_50 : tensor<61xi1>, tensor<61xf32>
    stablehlo.return %179, %180, %181, %182, %183, %184, %185 : tensor<61xi1>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>, tensor<61xf32>
  }
  %136 = stablehlo.log %arg1 : tensor<61xf32>
  %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %137 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %138 = stablehlo.add %arg0, %137 : tensor<61xf32>
  %139 = chlo.digamma %138 : tensor<61xf32> -> tensor<61xf32>
  %140 = stablehlo.subtract %136, %139 : tensor<61xf32>
  %141 = stablehlo.multiply %135#3, %140 : tensor<61xf32>
  %142 = stablehlo.add %141, %135#6 : tensor<61xf32>
  %143 = stablehlo.multiply %97, %142 : tensor<61xf32>
  %144 = stablehlo.divide %143, %arg0 : tensor<61xf32>
  %145 = stablehlo.select %87, %128, %144 : tensor<61xi1>, tensor<61xf32>
  %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %146 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %147 = stablehlo.select %78, %146, %145 : tensor<61xi1>, tensor<61xf32>
  %148 = stablehlo.or %83, %76 : tensor<61xi1>
  %cst_43 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %149 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %150 = stablehlo.select %148, %149, %147 : tensor<61xi1>, tensor<61xf32>
  %151 = stablehlo.multiply %arg2, %150 : tensor<61xf32>
  %152 = stablehlo.negate %arg1 : tensor<61xf32>
  %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %153 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %154 = stablehlo.subtract %arg0, %153 : tensor<61xf32>
  %155 = stablehlo.log %arg1 : tensor<61xf32>
  %156 = stablehlo.multiply %154, %155 : tensor<61xf32>
  %157 = stablehlo.add %152, %156 : tensor<61xf32>
  %158 = chlo.lgamma %arg0 : tensor<61xf32> -> tensor<61xf32>
  %159 = stablehlo.subtract %157, %158 : tensor<61xf32>
  %160 = stablehlo.exponential %159 : tensor<61xf32>
  %161 = stablehlo.multiply %arg3, %160 : tensor<61xf32>
  %162 = stablehlo.add %151, %161 : tensor<61xf32>
  return %73, %162 : tensor<61xf32>, tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.compare EQ, %arg1, %3, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare EQ, %arg0, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %13 = stablehlo.and %6, %8 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.compare GE, %arg1, %17, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %19 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %20 = stablehlo.and %18, %19 : tensor<61xi1>
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
  %30 = stablehlo.exponential %25 : tensor<61xf64>
  %31 = stablehlo.or %8, %16 : tensor<61xi1>
  %32 = stablehlo.or %31, %29 : tensor<61xi1>
  %33 = stablehlo.or %32, %4 : tensor<61xi1>
  %34 = stablehlo.not %33 : tensor<61xi1>
  %35 = stablehlo.and %34, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %37 = stablehlo.subtract %36, %arg0 : tensor<61xf64>
  %38 = stablehlo.add %arg1, %37 : tensor<61xf64>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %40 = stablehlo.add %38, %39 : tensor<61xf64>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %43 = stablehlo.add %arg1, %42 : tensor<61xf64>
  %44 = stablehlo.multiply %40, %arg1 : tensor<61xf64>
  %45 = stablehlo.divide %43, %44 : tensor<61xf64>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %50 = stablehlo.negate %arg1 : tensor<61xf64>
  %51 = stablehlo.multiply %45, %50 : tensor<61xf64>
  %52 = stablehlo.subtract %49, %51 : tensor<61xf64>
  %53 = stablehlo.divide %52, %44 : tensor<61xf64>
  %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %54:15 = stablehlo.while(%iterArg = %35, %iterArg_23 = %45, %iterArg_24 = %46, %iterArg_25 = %37, %iterArg_26 = %40, %iterArg_27 = %cst_14, %iterArg_28 = %43, %iterArg_29 = %44, %iterArg_30 = %41, %iterArg_31 = %arg1, %iterArg_32 = %47, %iterArg_33 = %48, %iterArg_34 = %49, %iterArg_35 = %50, %iterArg_36 = %53) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_37 = stablehlo.constant dense<2.000000e+03> : tensor<f64>
    %74 = stablehlo.compare LT, %iterArg_27, %cst_37, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %75 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %76 = stablehlo.and %74, %75 : tensor<i1>
    stablehlo.return %76 : tensor<i1>
  } do {
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %74 = stablehlo.add %iterArg_27, %cst_37 : tensor<f64>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %75 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %76 = stablehlo.add %iterArg_25, %75 : tensor<61xf64>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %77 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %78 = stablehlo.add %iterArg_26, %77 : tensor<61xf64>
    %79 = stablehlo.broadcast_in_dim %74, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %80 = stablehlo.multiply %76, %79 : tensor<61xf64>
    %81 = stablehlo.multiply %iterArg_28, %78 : tensor<61xf64>
    %82 = stablehlo.multiply %iterArg_30, %80 : tensor<61xf64>
    %83 = stablehlo.subtract %81, %82 : tensor<61xf64>
    %84 = stablehlo.multiply %iterArg_29, %78 : tensor<61xf64>
    %85 = stablehlo.multiply %iterArg_31, %80 : tensor<61xf64>
    %86 = stablehlo.subtract %84, %85 : tensor<61xf64>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %87 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %88 = stablehlo.compare NE, %86, %87, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %89 = stablehlo.divide %83, %86 : tensor<61xf64>
    %90 = stablehlo.subtract %iterArg_23, %89 : tensor<61xf64>
    %91 = stablehlo.divide %90, %89 : tensor<61xf64>
    %92 = stablehlo.abs %91 : tensor<61xf64>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %93 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %94 = stablehlo.select %88, %92, %93 : tensor<61xi1>, tensor<61xf64>
    %95 = stablehlo.select %88, %89, %iterArg_23 : tensor<61xi1>, tensor<61xf64>
    %96 = stablehlo.multiply %iterArg_34, %78 : tensor<61xf64>
    %97 = stablehlo.subtract %96, %iterArg_28 : tensor<61xf64>
    %98 = stablehlo.multiply %iterArg_32, %80 : tensor<61xf64>
    %99 = stablehlo.subtract %97, %98 : tensor<61xf64>
    %100 = stablehlo.broadcast_in_dim %74, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %101 = stablehlo.multiply %iterArg_30, %100 : tensor<61xf64>
    %102 = stablehlo.add %99, %101 : tensor<61xf64>
    %103 = stablehlo.multiply %iterArg_35, %78 : tensor<61xf64>
    %104 = stablehlo.subtract %103, %iterArg_29 : tensor<61xf64>
    %105 = stablehlo.multiply %iterArg_33, %80 : tensor<61xf64>
    %106 = stablehlo.subtract %104, %105 : tensor<61xf64>
    %107 = stablehlo.broadcast_in_dim %74, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %108 = stablehlo.multiply %iterArg_31, %107 : tensor<61xf64>
    %109 = stablehlo.add %106, %108 : tensor<61xf64>
    %110 = stablehlo.multiply %95, %109 : tensor<61xf64>
    %111 = stablehlo.subtract %102, %110 : tensor<61xf64>
    %112 = stablehlo.divide %111, %86 : tensor<61xf64>
    %113 = stablehlo.select %88, %112, %iterArg_36 : tensor<61xi1>, tensor<61xf64>
    %114 = stablehlo.subtract %113, %iterArg_36 : tensor<61xf64>
    %115 = stablehlo.abs %114 : tensor<61xf64>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %116 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %117 = stablehlo.select %88, %115, %116 : tensor<61xi1>, tensor<61xf64>
    %118 = stablehlo.abs %83 : tensor<61xf64>
    %cst_43 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %119 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<f64>
    %120 = stablehlo.divide %119, %cst_43 : tensor<f64>
    %121 = stablehlo.broadcast_in_dim %120, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %122 = stablehlo.compare GT, %118, %121, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_45 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %123 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %124 = stablehlo.multiply %iterArg_28, %123 : tensor<61xf64>
    %125 = stablehlo.select %122, %124, %iterArg_28 : tensor<61xi1>, tensor<61xf64>
    %cst_46 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %126 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %127 = stablehlo.multiply %83, %126 : tensor<61xf64>
    %128 = stablehlo.select %122, %127, %83 : tensor<61xi1>, tensor<61xf64>
    %cst_47 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %129 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %130 = stablehlo.multiply %iterArg_29, %129 : tensor<61xf64>
    %131 = stablehlo.select %122, %130, %iterArg_29 : tensor<61xi1>, tensor<61xf64>
    %cst_48 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %132 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %133 = stablehlo.multiply %86, %132 : tensor<61xf64>
    %134 = stablehlo.select %122, %133, %86 : tensor<61xi1>, tensor<61xf64>
    %cst_49 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %135 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %136 = stablehlo.multiply %iterArg_34, %135 : tensor<61xf64>
    %137 = stablehlo.select %122, %136, %iterArg_34 : tensor<61xi1>, tensor<61xf64>
    %cst_50 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %138 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %139 = stablehlo.multiply %iterArg_35, %138 : tensor<61xf64>
    %140 = stablehlo.select %122, %139, %iterArg_35 : tensor<61xi1>, tensor<61xf64>
    %cst_51 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %141 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %142 = stablehlo.multiply %102, %141 : tensor<61xf64>
    %143 = stablehlo.select %122, %142, %102 : tensor<61xi1>, tensor<61xf64>
    %cst_52 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %144 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %145 = stablehlo.multiply %109, %144 : tensor<61xf64>
    %146 = stablehlo.select %122, %145, %109 : tensor<61xi1>, tensor<61xf64>
    %cst_53 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %147 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %148 = stablehlo.compare GT, %94, %147, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %149 = stablehlo.and %iterArg, %148 : tensor<61xi1>
    %150 = stablehlo.select %iterArg, %95, %iterArg_23 : tensor<61xi1>, tensor<61xf64>
    %151 = stablehlo.select %iterArg, %94, %iterArg_24 : tensor<61xi1>, tensor<61xf64>
    %152 = stablehlo.select %iterArg, %76, %iterArg_25 : tensor<61xi1>, tensor<61xf64>
    %153 = stablehlo.select %iterArg, %78, %iterArg_26 : tensor<61xi1>, tensor<61xf64>
    %154 = stablehlo.select %iterArg, %128, %iterArg_28 : tensor<61xi1>, tensor<61xf64>
    %155 = stablehlo.select %iterArg, %134, %iterArg_29 : tensor<61xi1>, tensor<61xf64>
    %156 = stablehlo.select %iterArg, %125, %iterArg_30 : tensor<61xi1>, tensor<61xf64>
    %157 = stablehlo.select %iterArg, %131, %iterArg_31 : tensor<61xi1>, tensor<61xf64>
    %158 = stablehlo.select %iterArg, %137, %iterArg_32 : tensor<61xi1>, tensor<61xf64>
    %159 = stablehlo.select %iterArg, %140, %iterArg_33 : tensor<61xi1>, tensor<61xf64>
    %160 = stablehlo.select %iterArg, %143, %iterArg_34 : tensor<61xi1>, tensor<61xf64>
    %161 = stablehlo.select %iterArg, %146, %iterArg_35 : tensor<61xi1>, tensor<61xf64>
    %162 = stablehlo.select %iterArg, %113, %iterArg_36 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %149, %150, %151, %152, %153, %74, %154, %155, %156, %157, %158, %159, %160, %161, %162 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %55 = stablehlo.multiply %54#1, %30 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %57 = stablehlo.subtract %56, %55 : tensor<61xf64>
  %58 = stablehlo.not %20 : tensor<61xi1>
  %59 = stablehlo.and %34, %58 : tensor<61xi1>
  %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %60 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %63 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %64:7 = stablehlo.while(%iterArg = %59, %iterArg_23 = %arg0, %iterArg_24 = %60, %iterArg_25 = %61, %iterArg_26 = %arg1, %iterArg_27 = %62, %iterArg_28 = %63) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %74 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %74 : tensor<i1>
  } do {
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %74 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %75 = stablehlo.add %iterArg_23, %74 : tensor<61xf64>
    %76 = stablehlo.divide %iterArg_26, %75 : tensor<61xf64>
    %77 = stablehlo.multiply %iterArg_27, %76 : tensor<61xf64>
    %78 = stablehlo.multiply %iterArg_24, %iterArg_26 : tensor<61xf64>
    %79 = stablehlo.multiply %75, %75 : tensor<61xf64>
    %80 = stablehlo.divide %78, %79 : tensor<61xf64>
    %81 = stablehlo.subtract %77, %80 : tensor<61xf64>
    %82 = stablehlo.add %iterArg_28, %81 : tensor<61xf64>
    %83 = stablehlo.divide %iterArg_26, %75 : tensor<61xf64>
    %84 = stablehlo.multiply %iterArg_24, %83 : tensor<61xf64>
    %85 = stablehlo.add %iterArg_25, %84 : tensor<61xf64>
    %86 = stablehlo.divide %84, %85 : tensor<61xf64>
    %cst_30 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %87 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %88 = stablehlo.compare GT, %86, %87, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %89 = stablehlo.and %iterArg, %88 : tensor<61xi1>
    %90 = stablehlo.select %iterArg, %75, %iterArg_23 : tensor<61xi1>, tensor<61xf64>
    %91 = stablehlo.select %iterArg, %84, %iterArg_24 : tensor<61xi1>, tensor<61xf64>
    %92 = stablehlo.select %iterArg, %85, %iterArg_25 : tensor<61xi1>, tensor<61xf64>
    %93 = stablehlo.select %iterArg, %iterArg_26, %iterArg_26 : tensor<61xi1>, tensor<61xf64>
    %94 = stablehlo.select %iterArg, %81, %iterArg_27 : tensor<61xi1>, tensor<61xf64>
    %95 = stablehlo.select %iterArg, %82, %iterArg_28 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %89, %90, %91, %92, %93, %94, %95 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %65 = stablehlo.multiply %64#3, %30 : tensor<61xf64>
  %66 = stablehlo.divide %65, %arg0 : tensor<61xf64>
  %67 = stablehlo.select %20, %57, %66 : tensor<61xi1>, tensor<61xf64>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %69 = stablehlo.select %8, %68, %67 : tensor<61xi1>, tensor<61xf64>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %71 = stablehlo.select %4, %70, %69 : tensor<61xi1>, tensor<61xf64>
  %cst_22 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %72 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %73 = stablehlo.select %16, %72, %71 : tensor<61xi1>, tensor<61xf64>
  return %73 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %2 = stablehlo.or %0, %1 : tensor<61xi1>
  %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.compare EQ, %arg1, %3, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare EQ, %arg0, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %8 = stablehlo.compare EQ, %arg1, %7, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %10 = stablehlo.compare LT, %arg1, %9, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.compare LT, %arg0, %11, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %13 = stablehlo.and %6, %8 : tensor<61xi1>
  %14 = stablehlo.or %10, %12 : tensor<61xi1>
  %15 = stablehlo.or %14, %13 : tensor<61xi1>
  %16 = stablehlo.or %15, %2 : tensor<61xi1>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.compare GE, %arg1, %17, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %19 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %20 = stablehlo.and %18, %19 : tensor<61xi1>
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
  %30 = stablehlo.exponential %25 : tensor<61xf64>
  %31 = stablehlo.or %8, %16 : tensor<61xi1>
  %32 = stablehlo.or %31, %29 : tensor<61xi1>
  %33 = stablehlo.or %32, %4 : tensor<61xi1>
  %34 = stablehlo.not %33 : tensor<61xi1>
  %35 = stablehlo.and %34, %20 : tensor<61xi1>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %37 = stablehlo.subtract %36, %arg0 : tensor<61xf64>
  %38 = stablehlo.add %arg1, %37 : tensor<61xf64>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %40 = stablehlo.add %38, %39 : tensor<61xf64>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %43 = stablehlo.add %arg1, %42 : tensor<61xf64>
  %44 = stablehlo.multiply %40, %arg1 : tensor<61xf64>
  %45 = stablehlo.divide %43, %44 : tensor<61xf64>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %50 = stablehlo.negate %arg1 : tensor<61xf64>
  %51 = stablehlo.multiply %45, %50 : tensor<61xf64>
  %52 = stablehlo.subtract %49, %51 : tensor<61xf64>
  %53 = stablehlo.divide %52, %44 : tensor<61xf64>
  %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %54:15 = stablehlo.while(%iterArg = %35, %iterArg_45 = %45, %iterArg_46 = %46, %iterArg_47 = %37, %iterArg_48 = %40, %iterArg_49 = %cst_14, %iterArg_50 = %43, %iterArg_51 = %44, %iterArg_52 = %41, %iterArg_53 = %arg1, %iterArg_54 = %47, %iterArg_55 = %48, %iterArg_56 = %49, %iterArg_57 = %50, %iterArg_58 = %53) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_59 = stablehlo.constant dense<2.000000e+03> : tensor<f64>
    %163 = stablehlo.compare LT, %iterArg_49, %cst_59, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %165 = stablehlo.and %163, %164 : tensor<i1>
    stablehlo.return %165 : tensor<i1>
  } do {
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %163 = stablehlo.add %iterArg_49, %cst_59 : tensor<f64>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %164 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %165 = stablehlo.add %iterArg_47, %164 : tensor<61xf64>
    %cst_61 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %166 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %167 = stablehlo.add %iterArg_48, %166 : tensor<61xf64>
    %168 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %169 = stablehlo.multiply %165, %168 : tensor<61xf64>
    %170 = stablehlo.multiply %iterArg_50, %167 : tensor<61xf64>
    %171 = stablehlo.multiply %iterArg_52, %169 : tensor<61xf64>
    %172 = stablehlo.subtract %170, %171 : tensor<61xf64>
    %173 = stablehlo.multiply %iterArg_51, %167 : tensor<61xf64>
    %174 = stablehlo.multiply %iterArg_53, %169 : tensor<61xf64>
    %175 = stablehlo.subtract %173, %174 : tensor<61xf64>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %176 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %177 = stablehlo.compare NE, %175, %176, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %178 = stablehlo.divide %172, %175 : tensor<61xf64>
    %179 = stablehlo.subtract %iterArg_45, %178 : tensor<61xf64>
    %180 = stablehlo.divide %179, %178 : tensor<61xf64>
    %181 = stablehlo.abs %180 : tensor<61xf64>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %182 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %183 = stablehlo.select %177, %181, %182 : tensor<61xi1>, tensor<61xf64>
    %184 = stablehlo.select %177, %178, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %185 = stablehlo.multiply %iterArg_56, %167 : tensor<61xf64>
    %186 = stablehlo.subtract %185, %iterArg_50 : tensor<61xf64>
    %187 = stablehlo.multiply %iterArg_54, %169 : tensor<61xf64>
    %188 = stablehlo.subtract %186, %187 : tensor<61xf64>
    %189 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %190 = stablehlo.multiply %iterArg_52, %189 : tensor<61xf64>
    %191 = stablehlo.add %188, %190 : tensor<61xf64>
    %192 = stablehlo.multiply %iterArg_57, %167 : tensor<61xf64>
    %193 = stablehlo.subtract %192, %iterArg_51 : tensor<61xf64>
    %194 = stablehlo.multiply %iterArg_55, %169 : tensor<61xf64>
    %195 = stablehlo.subtract %193, %194 : tensor<61xf64>
    %196 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %197 = stablehlo.multiply %iterArg_53, %196 : tensor<61xf64>
    %198 = stablehlo.add %195, %197 : tensor<61xf64>
    %199 = stablehlo.multiply %184, %198 : tensor<61xf64>
    %200 = stablehlo.subtract %191, %199 : tensor<61xf64>
    %201 = stablehlo.divide %200, %175 : tensor<61xf64>
    %202 = stablehlo.select %177, %201, %iterArg_58 : tensor<61xi1>, tensor<61xf64>
    %203 = stablehlo.subtract %202, %iterArg_58 : tensor<61xf64>
    %204 = stablehlo.abs %203 : tensor<61xf64>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %205 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %206 = stablehlo.select %177, %204, %205 : tensor<61xi1>, tensor<61xf64>
    %207 = stablehlo.abs %172 : tensor<61xf64>
    %cst_65 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %208 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f64>) -> tensor<f64>
    %209 = stablehlo.divide %208, %cst_65 : tensor<f64>
    %210 = stablehlo.broadcast_in_dim %209, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %211 = stablehlo.compare GT, %207, %210, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_67 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %212 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %213 = stablehlo.multiply %iterArg_50, %212 : tensor<61xf64>
    %214 = stablehlo.select %211, %213, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %cst_68 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %215 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %216 = stablehlo.multiply %172, %215 : tensor<61xf64>
    %217 = stablehlo.select %211, %216, %172 : tensor<61xi1>, tensor<61xf64>
    %cst_69 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %218 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %219 = stablehlo.multiply %iterArg_51, %218 : tensor<61xf64>
    %220 = stablehlo.select %211, %219, %iterArg_51 : tensor<61xi1>, tensor<61xf64>
    %cst_70 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %221 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %222 = stablehlo.multiply %175, %221 : tensor<61xf64>
    %223 = stablehlo.select %211, %222, %175 : tensor<61xi1>, tensor<61xf64>
    %cst_71 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %224 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %225 = stablehlo.multiply %iterArg_56, %224 : tensor<61xf64>
    %226 = stablehlo.select %211, %225, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %cst_72 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %227 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %228 = stablehlo.multiply %iterArg_57, %227 : tensor<61xf64>
    %229 = stablehlo.select %211, %228, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    %cst_73 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %230 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %231 = stablehlo.multiply %191, %230 : tensor<61xf64>
    %232 = stablehlo.select %211, %231, %191 : tensor<61xi1>, tensor<61xf64>
    %cst_74 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %233 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %234 = stablehlo.multiply %198, %233 : tensor<61xf64>
    %235 = stablehlo.select %211, %234, %198 : tensor<61xi1>, tensor<61xf64>
    %cst_75 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %236 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %237 = stablehlo.compare GT, %183, %236, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %238 = stablehlo.and %iterArg, %237 : tensor<61xi1>
    %239 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %240 = stablehlo.select %iterArg, %183, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %241 = stablehlo.select %iterArg, %165, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %242 = stablehlo.select %iterArg, %167, %iterArg_48 : tensor<61xi1>, tensor<61xf64>
    %243 = stablehlo.select %iterArg, %217, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %244 = stablehlo.select %iterArg, %223, %iterArg_51 : tensor<61xi1>, tensor<61xf64>
    %245 = stablehlo.select %iterArg, %214, %iterArg_52 : tensor<61xi1>, tensor<61xf64>
    %246 = stablehlo.select %iterArg, %220, %iterArg_53 : tensor<61xi1>, tensor<61xf64>
    %247 = stablehlo.select %iterArg, %226, %iterArg_54 : tensor<61xi1>, tensor<61xf64>
    %248 = stablehlo.select %iterArg, %229, %iterArg_55 : tensor<61xi1>, tensor<61xf64>
    %249 = stablehlo.select %iterArg, %232, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %250 = stablehlo.select %iterArg, %235, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    %251 = stablehlo.select %iterArg, %202, %iterArg_58 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %238, %239, %240, %241, %242, %163, %243, %244, %245, %246, %247, %248, %249, %250, %251 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %55 = stablehlo.multiply %54#1, %30 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %57 = stablehlo.subtract %56, %55 : tensor<61xf64>
  %58 = stablehlo.not %20 : tensor<61xi1>
  %59 = stablehlo.and %34, %58 : tensor<61xi1>
  %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %60 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %63 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %64:7 = stablehlo.while(%iterArg = %59, %iterArg_45 = %arg0, %iterArg_46 = %60, %iterArg_47 = %61, %iterArg_48 = %arg1, %iterArg_49 = %62, %iterArg_50 = %63) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %163 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %163 : tensor<i1>
  } do {
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %163 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %164 = stablehlo.add %iterArg_45, %163 : tensor<61xf64>
    %165 = stablehlo.divide %iterArg_48, %164 : tensor<61xf64>
    %166 = stablehlo.multiply %iterArg_49, %165 : tensor<61xf64>
    %167 = stablehlo.multiply %iterArg_46, %iterArg_48 : tensor<61xf64>
    %168 = stablehlo.multiply %164, %164 : tensor<61xf64>
    %169 = stablehlo.divide %167, %168 : tensor<61xf64>
    %170 = stablehlo.subtract %166, %169 : tensor<61xf64>
    %171 = stablehlo.add %iterArg_50, %170 : tensor<61xf64>
    %172 = stablehlo.divide %iterArg_48, %164 : tensor<61xf64>
    %173 = stablehlo.multiply %iterArg_46, %172 : tensor<61xf64>
    %174 = stablehlo.add %iterArg_47, %173 : tensor<61xf64>
    %175 = stablehlo.divide %173, %174 : tensor<61xf64>
    %cst_52 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %176 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %177 = stablehlo.compare GT, %175, %176, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %178 = stablehlo.and %iterArg, %177 : tensor<61xi1>
    %179 = stablehlo.select %iterArg, %164, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %180 = stablehlo.select %iterArg, %173, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %181 = stablehlo.select %iterArg, %174, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %182 = stablehlo.select %iterArg, %iterArg_48, %iterArg_48 : tensor<61xi1>, tensor<61xf64>
    %183 = stablehlo.select %iterArg, %170, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    %184 = stablehlo.select %iterArg, %171, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %178, %179, %180, %181, %182, %183, %184 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %65 = stablehlo.multiply %64#3, %30 : tensor<61xf64>
  %66 = stablehlo.divide %65, %arg0 : tensor<61xf64>
  %67 = stablehlo.select %20, %57, %66 : tensor<61xi1>, tensor<61xf64>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %69 = stablehlo.select %8, %68, %67 : tensor<61xi1>, tensor<61xf64>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %71 = stablehlo.select %4, %70, %69 : tensor<61xi1>, tensor<61xf64>
  %cst_22 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %72 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %73 = stablehlo.select %16, %72, %71 : tensor<61xi1>, tensor<61xf64>
  %74 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %75 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %76 = stablehlo.or %74, %75 : tensor<61xi1>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %77 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %78 = stablehlo.compare EQ, %arg1, %77, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %79 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %80 = stablehlo.compare LT, %arg1, %79, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %81 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %82 = stablehlo.compare LE, %arg0, %81, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %83 = stablehlo.or %80, %82 : tensor<61xi1>
  %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %84 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %85 = stablehlo.compare GT, %arg1, %84, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %86 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %87 = stablehlo.and %85, %86 : tensor<61xi1>
  %88 = stablehlo.log %arg1 : tensor<61xf64>
  %89 = stablehlo.multiply %arg0, %88 : tensor<61xf64>
  %90 = stablehlo.subtract %89, %arg1 : tensor<61xf64>
  %91 = chlo.lgamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %92 = stablehlo.subtract %90, %91 : tensor<61xf64>
  %cst_27 = stablehlo.constant dense<1.7976931348623157E+308> : tensor<f64>
  %93 = stablehlo.log %cst_27 : tensor<f64>
  %94 = stablehlo.negate %93 : tensor<f64>
  %95 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %96 = stablehlo.compare LT, %92, %95, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %97 = stablehlo.exponential %92 : tensor<61xf64>
  %98 = stablehlo.or %78, %83 : tensor<61xi1>
  %99 = stablehlo.or %98, %96 : tensor<61xi1>
  %100 = stablehlo.or %99, %76 : tensor<61xi1>
  %101 = stablehlo.not %100 : tensor<61xi1>
  %102 = stablehlo.and %101, %87 : tensor<61xi1>
  %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %103 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %104 = stablehlo.subtract %103, %arg0 : tensor<61xf64>
  %105 = stablehlo.add %arg1, %104 : tensor<61xf64>
  %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %106 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %107 = stablehlo.add %105, %106 : tensor<61xf64>
  %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %108 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %109 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %110 = stablehlo.add %arg1, %109 : tensor<61xf64>
  %111 = stablehlo.multiply %107, %arg1 : tensor<61xf64>
  %112 = stablehlo.divide %110, %111 : tensor<61xf64>
  %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %113 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %114 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %115 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %116 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %117 = stablehlo.negate %arg1 : tensor<61xf64>
  %118 = stablehlo.multiply %112, %117 : tensor<61xf64>
  %119 = stablehlo.subtract %116, %118 : tensor<61xf64>
  %120 = stablehlo.divide %119, %111 : tensor<61xf64>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %121:15 = stablehlo.while(%iterArg = %102, %iterArg_45 = %112, %iterArg_46 = %113, %iterArg_47 = %104, %iterArg_48 = %107, %iterArg_49 = %cst_36, %iterArg_50 = %110, %iterArg_51 = %111, %iterArg_52 = %108, %iterArg_53 = %arg1, %iterArg_54 = %114, %iterArg_55 = %115, %iterArg_56 = %116, %iterArg_57 = %117, %iterArg_58 = %120) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %cst_59 = stablehlo.constant dense<2.000000e+03> : tensor<f64>
    %163 = stablehlo.compare LT, %iterArg_49, %cst_59, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %164 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    %165 = stablehlo.and %163, %164 : tensor<i1>
    stablehlo.return %165 : tensor<i1>
  } do {
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %163 = stablehlo.add %iterArg_49, %cst_59 : tensor<f64>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %164 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %165 = stablehlo.add %iterArg_47, %164 : tensor<61xf64>
    %cst_61 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %166 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %167 = stablehlo.add %iterArg_48, %166 : tensor<61xf64>
    %168 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %169 = stablehlo.multiply %165, %168 : tensor<61xf64>
    %170 = stablehlo.multiply %iterArg_50, %167 : tensor<61xf64>
    %171 = stablehlo.multiply %iterArg_52, %169 : tensor<61xf64>
    %172 = stablehlo.subtract %170, %171 : tensor<61xf64>
    %173 = stablehlo.multiply %iterArg_51, %167 : tensor<61xf64>
    %174 = stablehlo.multiply %iterArg_53, %169 : tensor<61xf64>
    %175 = stablehlo.subtract %173, %174 : tensor<61xf64>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %176 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %177 = stablehlo.compare NE, %175, %176, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %178 = stablehlo.divide %172, %175 : tensor<61xf64>
    %179 = stablehlo.subtract %iterArg_45, %178 : tensor<61xf64>
    %180 = stablehlo.divide %179, %178 : tensor<61xf64>
    %181 = stablehlo.abs %180 : tensor<61xf64>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %182 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %183 = stablehlo.select %177, %181, %182 : tensor<61xi1>, tensor<61xf64>
    %184 = stablehlo.select %177, %178, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %185 = stablehlo.multiply %iterArg_56, %167 : tensor<61xf64>
    %186 = stablehlo.subtract %185, %iterArg_50 : tensor<61xf64>
    %187 = stablehlo.multiply %iterArg_54, %169 : tensor<61xf64>
    %188 = stablehlo.subtract %186, %187 : tensor<61xf64>
    %189 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %190 = stablehlo.multiply %iterArg_52, %189 : tensor<61xf64>
    %191 = stablehlo.add %188, %190 : tensor<61xf64>
    %192 = stablehlo.multiply %iterArg_57, %167 : tensor<61xf64>
    %193 = stablehlo.subtract %192, %iterArg_51 : tensor<61xf64>
    %194 = stablehlo.multiply %iterArg_55, %169 : tensor<61xf64>
    %195 = stablehlo.subtract %193, %194 : tensor<61xf64>
    %196 = stablehlo.broadcast_in_dim %163, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %197 = stablehlo.multiply %iterArg_53, %196 : tensor<61xf64>
    %198 = stablehlo.add %195, %197 : tensor<61xf64>
    %199 = stablehlo.multiply %184, %198 : tensor<61xf64>
    %200 = stablehlo.subtract %191, %199 : tensor<61xf64>
    %201 = stablehlo.divide %200, %175 : tensor<61xf64>
    %202 = stablehlo.select %177, %201, %iterArg_58 : tensor<61xi1>, tensor<61xf64>
    %203 = stablehlo.subtract %202, %iterArg_58 : tensor<61xf64>
    %204 = stablehlo.abs %203 : tensor<61xf64>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %205 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %206 = stablehlo.select %177, %204, %205 : tensor<61xi1>, tensor<61xf64>
    %207 = stablehlo.abs %172 : tensor<61xf64>
    %cst_65 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %208 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f64>) -> tensor<f64>
    %209 = stablehlo.divide %208, %cst_65 : tensor<f64>
    %210 = stablehlo.broadcast_in_dim %209, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %211 = stablehlo.compare GT, %207, %210, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %cst_67 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %212 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %213 = stablehlo.multiply %iterArg_50, %212 : tensor<61xf64>
    %214 = stablehlo.select %211, %213, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %cst_68 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %215 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %216 = stablehlo.multiply %172, %215 : tensor<61xf64>
    %217 = stablehlo.select %211, %216, %172 : tensor<61xi1>, tensor<61xf64>
    %cst_69 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %218 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %219 = stablehlo.multiply %iterArg_51, %218 : tensor<61xf64>
    %220 = stablehlo.select %211, %219, %iterArg_51 : tensor<61xi1>, tensor<61xf64>
    %cst_70 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %221 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %222 = stablehlo.multiply %175, %221 : tensor<61xf64>
    %223 = stablehlo.select %211, %222, %175 : tensor<61xi1>, tensor<61xf64>
    %cst_71 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %224 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %225 = stablehlo.multiply %iterArg_56, %224 : tensor<61xf64>
    %226 = stablehlo.select %211, %225, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %cst_72 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %227 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %228 = stablehlo.multiply %iterArg_57, %227 : tensor<61xf64>
    %229 = stablehlo.select %211, %228, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    %cst_73 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %230 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %231 = stablehlo.multiply %191, %230 : tensor<61xf64>
    %232 = stablehlo.select %211, %231, %191 : tensor<61xi1>, tensor<61xf64>
    %cst_74 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %233 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %234 = stablehlo.multiply %198, %233 : tensor<61xf64>
    %235 = stablehlo.select %211, %234, %198 : tensor<61xi1>, tensor<61xf64>
    %cst_75 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %236 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %237 = stablehlo.compare GT, %206, %236, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %238 = stablehlo.and %iterArg, %237 : tensor<61xi1>
    %239 = stablehlo.select %iterArg, %184, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %240 = stablehlo.select %iterArg, %183, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %241 = stablehlo.select %iterArg, %165, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %242 = stablehlo.select %iterArg, %167, %iterArg_48 : tensor<61xi1>, tensor<61xf64>
    %243 = stablehlo.select %iterArg, %217, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    %244 = stablehlo.select %iterArg, %223, %iterArg_51 : tensor<61xi1>, tensor<61xf64>
    %245 = stablehlo.select %iterArg, %214, %iterArg_52 : tensor<61xi1>, tensor<61xf64>
    %246 = stablehlo.select %iterArg, %220, %iterArg_53 : tensor<61xi1>, tensor<61xf64>
    %247 = stablehlo.select %iterArg, %226, %iterArg_54 : tensor<61xi1>, tensor<61xf64>
    %248 = stablehlo.select %iterArg, %229, %iterArg_55 : tensor<61xi1>, tensor<61xf64>
    %249 = stablehlo.select %iterArg, %232, %iterArg_56 : tensor<61xi1>, tensor<61xf64>
    %250 = stablehlo.select %iterArg, %235, %iterArg_57 : tensor<61xi1>, tensor<61xf64>
    %251 = stablehlo.select %iterArg, %202, %iterArg_58 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %238, %239, %240, %241, %242, %163, %243, %244, %245, %246, %247, %248, %249, %250, %251 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<f64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %122 = stablehlo.log %arg1 : tensor<61xf64>
  %123 = chlo.digamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %124 = stablehlo.subtract %122, %123 : tensor<61xf64>
  %125 = stablehlo.multiply %121#1, %124 : tensor<61xf64>
  %126 = stablehlo.add %125, %121#14 : tensor<61xf64>
  %127 = stablehlo.multiply %97, %126 : tensor<61xf64>
  %128 = stablehlo.negate %127 : tensor<61xf64>
  %129 = stablehlo.not %87 : tensor<61xi1>
  %130 = stablehlo.and %101, %129 : tensor<61xi1>
  %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %131 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %132 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %133 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %134 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %135:7 = stablehlo.while(%iterArg = %130, %iterArg_45 = %arg0, %iterArg_46 = %131, %iterArg_47 = %132, %iterArg_48 = %arg1, %iterArg_49 = %133, %iterArg_50 = %134) : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %163 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<61xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %163 : tensor<i1>
  } do {
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %163 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %164 = stablehlo.add %iterArg_45, %163 : tensor<61xf64>
    %165 = stablehlo.divide %iterArg_48, %164 : tensor<61xf64>
    %166 = stablehlo.multiply %iterArg_49, %165 : tensor<61xf64>
    %167 = stablehlo.multiply %iterArg_46, %iterArg_48 : tensor<61xf64>
    %168 = stablehlo.multiply %164, %164 : tensor<61xf64>
    %169 = stablehlo.divide %167, %168 : tensor<61xf64>
    %170 = stablehlo.subtract %166, %169 : tensor<61xf64>
    %171 = stablehlo.add %iterArg_50, %170 : tensor<61xf64>
    %172 = stablehlo.divide %iterArg_48, %164 : tensor<61xf64>
    %173 = stablehlo.multiply %iterArg_46, %172 : tensor<61xf64>
    %174 = stablehlo.add %iterArg_47, %173 : tensor<61xf64>
    %175 = stablehlo.divide %170, %171 : tensor<61xf64>
    %176 = stablehlo.abs %175 : tensor<61xf64>
    %cst_52 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
    %177 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<61xf64>
    %178 = stablehlo.compare GT, %176, %177, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
    %179 = stablehlo.and %iterArg, %178 : tensor<61xi1>
    %180 = stablehlo.select %iterArg, %164, %iterArg_45 : tensor<61xi1>, tensor<61xf64>
    %181 = stablehlo.select %iterArg, %173, %iterArg_46 : tensor<61xi1>, tensor<61xf64>
    %182 = stablehlo.select %iterArg, %174, %iterArg_47 : tensor<61xi1>, tensor<61xf64>
    %183 = stablehlo.select %iterArg, %iterArg_48, %iterArg_48 : tensor<61xi1>, tensor<61xf64>
    %184 = stablehlo.select %iterArg, %170, %iterArg_49 : tensor<61xi1>, tensor<61xf64>
    %185 = stablehlo.select %iterArg, %171, %iterArg_50 : tensor<61xi1>, tensor<61xf64>
    stablehlo.return %179, %180, %181, %182, %183, %184, %185 : tensor<61xi1>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>, tensor<61xf64>
  }
  %136 = stablehlo.log %arg1 : tensor<61xf64>
  %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %137 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %138 = stablehlo.add %arg0, %137 : tensor<61xf64>
  %139 = chlo.digamma %138 : tensor<61xf64> -> tensor<61xf64>
  %140 = stablehlo.subtract %136, %139 : tensor<61xf64>
  %141 = stablehlo.multiply %135#3, %140 : tensor<61xf64>
  %142 = stablehlo.add %141, %135#6 : tensor<61xf64>
  %143 = stablehlo.multiply %97, %142 : tensor<61xf64>
  %144 = stablehlo.divide %143, %arg0 : tensor<61xf64>
  %145 = stablehlo.select %87, %128, %144 : tensor<61xi1>, tensor<61xf64>
  %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %146 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %147 = stablehlo.select %78, %146, %145 : tensor<61xi1>, tensor<61xf64>
  %148 = stablehlo.or %83, %76 : tensor<61xi1>
  %cst_43 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %149 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %150 = stablehlo.select %148, %149, %147 : tensor<61xi1>, tensor<61xf64>
  %151 = stablehlo.multiply %arg2, %150 : tensor<61xf64>
  %152 = stablehlo.negate %arg1 : tensor<61xf64>
  %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %153 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %154 = stablehlo.subtract %arg0, %153 : tensor<61xf64>
  %155 = stablehlo.log %arg1 : tensor<61xf64>
  %156 = stablehlo.multiply %154, %155 : tensor<61xf64>
  %157 = stablehlo.add %152, %156 : tensor<61xf64>
  %158 = chlo.lgamma %arg0 : tensor<61xf64> -> tensor<61xf64>
  %159 = stablehlo.subtract %157, %158 : tensor<61xf64>
  %160 = stablehlo.exponential %159 : tensor<61xf64>
  %161 = stablehlo.multiply %arg3, %160 : tensor<61xf64>
  %162 = stablehlo.add %151, %161 : tensor<61xf64>
  return %73, %162 : tensor<61xf64>, tensor<61xf64>
}
