// i0, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = call @f32.i0(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32.i0(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.abs %arg0 : tensor<61xf32>
  %1 = stablehlo.exponential %0 : tensor<61xf32>
  %2 = stablehlo.abs %0 : tensor<61xf32>
  %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.multiply %3, %2 : tensor<61xf32>
  %7 = stablehlo.subtract %6, %4 : tensor<61xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.multiply %7, %8 : tensor<61xf32>
  %12 = stablehlo.subtract %11, %9 : tensor<61xf32>
  %cst_5 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
  %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %14 = stablehlo.add %12, %13 : tensor<61xf32>
  %15 = stablehlo.multiply %7, %14 : tensor<61xf32>
  %16 = stablehlo.subtract %15, %8 : tensor<61xf32>
  %cst_6 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
  %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.add %16, %17 : tensor<61xf32>
  %19 = stablehlo.multiply %7, %18 : tensor<61xf32>
  %20 = stablehlo.subtract %19, %14 : tensor<61xf32>
  %cst_7 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
  %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %22 = stablehlo.add %20, %21 : tensor<61xf32>
  %23 = stablehlo.multiply %7, %22 : tensor<61xf32>
  %24 = stablehlo.subtract %23, %18 : tensor<61xf32>
  %cst_8 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
  %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %26 = stablehlo.add %24, %25 : tensor<61xf32>
  %27 = stablehlo.multiply %7, %26 : tensor<61xf32>
  %28 = stablehlo.subtract %27, %22 : tensor<61xf32>
  %cst_9 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.add %28, %29 : tensor<61xf32>
  %31 = stablehlo.multiply %7, %30 : tensor<61xf32>
  %32 = stablehlo.subtract %31, %26 : tensor<61xf32>
  %cst_10 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
  %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %34 = stablehlo.add %32, %33 : tensor<61xf32>
  %35 = stablehlo.multiply %7, %34 : tensor<61xf32>
  %36 = stablehlo.subtract %35, %30 : tensor<61xf32>
  %cst_11 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %38 = stablehlo.add %36, %37 : tensor<61xf32>
  %39 = stablehlo.multiply %7, %38 : tensor<61xf32>
  %40 = stablehlo.subtract %39, %34 : tensor<61xf32>
  %cst_12 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %42 = stablehlo.add %40, %41 : tensor<61xf32>
  %43 = stablehlo.multiply %7, %42 : tensor<61xf32>
  %44 = stablehlo.subtract %43, %38 : tensor<61xf32>
  %cst_13 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
  %45 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %46 = stablehlo.add %44, %45 : tensor<61xf32>
  %47 = stablehlo.multiply %7, %46 : tensor<61xf32>
  %48 = stablehlo.subtract %47, %42 : tensor<61xf32>
  %cst_14 = stablehlo.constant dense<0.00163947558> : tensor<f32>
  %49 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %50 = stablehlo.add %48, %49 : tensor<61xf32>
  %51 = stablehlo.multiply %7, %50 : tensor<61xf32>
  %52 = stablehlo.subtract %51, %46 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
  %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %54 = stablehlo.add %52, %53 : tensor<61xf32>
  %55 = stablehlo.multiply %7, %54 : tensor<61xf32>
  %56 = stablehlo.subtract %55, %50 : tensor<61xf32>
  %cst_16 = stablehlo.constant dense<0.0105464607> : tensor<f32>
  %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %58 = stablehlo.add %56, %57 : tensor<61xf32>
  %59 = stablehlo.multiply %7, %58 : tensor<61xf32>
  %60 = stablehlo.subtract %59, %54 : tensor<61xf32>
  %cst_17 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %62 = stablehlo.add %60, %61 : tensor<61xf32>
  %63 = stablehlo.multiply %7, %62 : tensor<61xf32>
  %64 = stablehlo.subtract %63, %58 : tensor<61xf32>
  %cst_18 = stablehlo.constant dense<0.0493052825> : tensor<f32>
  %65 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %66 = stablehlo.add %64, %65 : tensor<61xf32>
  %67 = stablehlo.multiply %7, %66 : tensor<61xf32>
  %68 = stablehlo.subtract %67, %62 : tensor<61xf32>
  %cst_19 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
  %69 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %70 = stablehlo.add %68, %69 : tensor<61xf32>
  %71 = stablehlo.multiply %7, %70 : tensor<61xf32>
  %72 = stablehlo.subtract %71, %66 : tensor<61xf32>
  %cst_20 = stablehlo.constant dense<0.171620905> : tensor<f32>
  %73 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %74 = stablehlo.add %72, %73 : tensor<61xf32>
  %75 = stablehlo.multiply %7, %74 : tensor<61xf32>
  %76 = stablehlo.subtract %75, %70 : tensor<61xf32>
  %cst_21 = stablehlo.constant dense<-0.304682672> : tensor<f32>
  %77 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %78 = stablehlo.add %76, %77 : tensor<61xf32>
  %79 = stablehlo.multiply %7, %78 : tensor<61xf32>
  %80 = stablehlo.subtract %79, %74 : tensor<61xf32>
  %cst_22 = stablehlo.constant dense<0.676795303> : tensor<f32>
  %81 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %82 = stablehlo.add %80, %81 : tensor<61xf32>
  %83 = stablehlo.subtract %82, %74 : tensor<61xf32>
  %cst_23 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %84 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %85 = stablehlo.multiply %84, %83 : tensor<61xf32>
  %86 = stablehlo.divide %5, %2 : tensor<61xf32>
  %87 = stablehlo.subtract %86, %4 : tensor<61xf32>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %88 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %89 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %90 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %91 = stablehlo.multiply %87, %88 : tensor<61xf32>
  %92 = stablehlo.subtract %91, %89 : tensor<61xf32>
  %cst_27 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
  %93 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %94 = stablehlo.add %92, %93 : tensor<61xf32>
  %95 = stablehlo.multiply %87, %94 : tensor<61xf32>
  %96 = stablehlo.subtract %95, %88 : tensor<61xf32>
  %cst_28 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
  %97 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %98 = stablehlo.add %96, %97 : tensor<61xf32>
  %99 = stablehlo.multiply %87, %98 : tensor<61xf32>
  %100 = stablehlo.subtract %99, %94 : tensor<61xf32>
  %cst_29 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
  %101 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %102 = stablehlo.add %100, %101 : tensor<61xf32>
  %103 = stablehlo.multiply %87, %102 : tensor<61xf32>
  %104 = stablehlo.subtract %103, %98 : tensor<61xf32>
  %cst_30 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
  %105 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %106 = stablehlo.add %104, %105 : tensor<61xf32>
  %107 = stablehlo.multiply %87, %106 : tensor<61xf32>
  %108 = stablehlo.subtract %107, %102 : tensor<61xf32>
  %cst_31 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
  %109 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %110 = stablehlo.add %108, %109 : tensor<61xf32>
  %111 = stablehlo.multiply %87, %110 : tensor<61xf32>
  %112 = stablehlo.subtract %111, %106 : tensor<61xf32>
  %cst_32 = stablehlo.constant dense<0.00336911646> : tensor<f32>
  %113 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %114 = stablehlo.add %112, %113 : tensor<61xf32>
  %115 = stablehlo.multiply %87, %114 : tensor<61xf32>
  %116 = stablehlo.subtract %115, %110 : tensor<61xf32>
  %cst_33 = stablehlo.constant dense<0.804490387> : tensor<f32>
  %117 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %118 = stablehlo.add %116, %117 : tensor<61xf32>
  %119 = stablehlo.subtract %118, %110 : tensor<61xf32>
  %cst_34 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %120 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %121 = stablehlo.multiply %120, %119 : tensor<61xf32>
  %122 = stablehlo.sqrt %2 : tensor<61xf32>
  %123 = stablehlo.divide %121, %122 : tensor<61xf32>
  %cst_35 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %124 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %125 = stablehlo.compare LE, %2, %124, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %126 = stablehlo.select %125, %85, %123 : tensor<61xi1>, tensor<61xf32>
  %127 = stablehlo.multiply %1, %126 : tensor<61xf32>
  return %127 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0:2 = call @f32_rule.i0(%arg0, %arg1) : (tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  return %0#0, %0#1 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule.i0(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.abs %arg0 : tensor<61xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.compare GE, %arg0, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %3 = stablehlo.negate %arg1 : tensor<61xf32>
  %4 = stablehlo.select %2, %arg1, %3 : tensor<61xi1>, tensor<61xf32>
  %5 = stablehlo.exponential %0 : tensor<61xf32>
  %6 = stablehlo.multiply %4, %5 : tensor<61xf32>
  %7 = stablehlo.abs %0 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.multiply %8, %7 : tensor<61xf32>
  %12 = stablehlo.subtract %11, %9 : tensor<61xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %16 = stablehlo.multiply %12, %13 : tensor<61xf32>
  %17 = stablehlo.subtract %16, %14 : tensor<61xf32>
  %cst_6 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
  %18 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %19 = stablehlo.add %17, %18 : tensor<61xf32>
  %20 = stablehlo.multiply %12, %19 : tensor<61xf32>
  %21 = stablehlo.subtract %20, %13 : tensor<61xf32>
  %cst_7 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
  %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %23 = stablehlo.add %21, %22 : tensor<61xf32>
  %24 = stablehlo.multiply %12, %23 : tensor<61xf32>
  %25 = stablehlo.subtract %24, %19 : tensor<61xf32>
  %cst_8 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
  %26 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %27 = stablehlo.add %25, %26 : tensor<61xf32>
  %28 = stablehlo.multiply %12, %27 : tensor<61xf32>
  %29 = stablehlo.subtract %28, %23 : tensor<61xf32>
  %cst_9 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
  %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %31 = stablehlo.add %29, %30 : tensor<61xf32>
  %32 = stablehlo.multiply %12, %31 : tensor<61xf32>
  %33 = stablehlo.subtract %32, %27 : tensor<61xf32>
  %cst_10 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
  %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %35 = stablehlo.add %33, %34 : tensor<61xf32>
  %36 = stablehlo.multiply %12, %35 : tensor<61xf32>
  %37 = stablehlo.subtract %36, %31 : tensor<61xf32>
  %cst_11 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
  %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %39 = stablehlo.add %37, %38 : tensor<61xf32>
  %40 = stablehlo.multiply %12, %39 : tensor<61xf32>
  %41 = stablehlo.subtract %40, %35 : tensor<61xf32>
  %cst_12 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
  %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %43 = stablehlo.add %41, %42 : tensor<61xf32>
  %44 = stablehlo.multiply %12, %43 : tensor<61xf32>
  %45 = stablehlo.subtract %44, %39 : tensor<61xf32>
  %cst_13 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
  %46 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %47 = stablehlo.add %45, %46 : tensor<61xf32>
  %48 = stablehlo.multiply %12, %47 : tensor<61xf32>
  %49 = stablehlo.subtract %48, %43 : tensor<61xf32>
  %cst_14 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %51 = stablehlo.add %49, %50 : tensor<61xf32>
  %52 = stablehlo.multiply %12, %51 : tensor<61xf32>
  %53 = stablehlo.subtract %52, %47 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<0.00163947558> : tensor<f32>
  %54 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %55 = stablehlo.add %53, %54 : tensor<61xf32>
  %56 = stablehlo.multiply %12, %55 : tensor<61xf32>
  %57 = stablehlo.subtract %56, %51 : tensor<61xf32>
  %cst_16 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
  %58 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %59 = stablehlo.add %57, %58 : tensor<61xf32>
  %60 = stablehlo.multiply %12, %59 : tensor<61xf32>
  %61 = stablehlo.subtract %60, %55 : tensor<61xf32>
  %cst_17 = stablehlo.constant dense<0.0105464607> : tensor<f32>
  %62 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %63 = stablehlo.add %61, %62 : tensor<61xf32>
  %64 = stablehlo.multiply %12, %63 : tensor<61xf32>
  %65 = stablehlo.subtract %64, %59 : tensor<61xf32>
  %cst_18 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
  %66 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %67 = stablehlo.add %65, %66 : tensor<61xf32>
  %68 = stablehlo.multiply %12, %67 : tensor<61xf32>
  %69 = stablehlo.subtract %68, %63 : tensor<61xf32>
  %cst_19 = stablehlo.constant dense<0.0493052825> : tensor<f32>
  %70 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %71 = stablehlo.add %69, %70 : tensor<61xf32>
  %72 = stablehlo.multiply %12, %71 : tensor<61xf32>
  %73 = stablehlo.subtract %72, %67 : tensor<61xf32>
  %cst_20 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
  %74 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %75 = stablehlo.add %73, %74 : tensor<61xf32>
  %76 = stablehlo.multiply %12, %75 : tensor<61xf32>
  %77 = stablehlo.subtract %76, %71 : tensor<61xf32>
  %cst_21 = stablehlo.constant dense<0.171620905> : tensor<f32>
  %78 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %79 = stablehlo.add %77, %78 : tensor<61xf32>
  %80 = stablehlo.multiply %12, %79 : tensor<61xf32>
  %81 = stablehlo.subtract %80, %75 : tensor<61xf32>
  %cst_22 = stablehlo.constant dense<-0.304682672> : tensor<f32>
  %82 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %83 = stablehlo.add %81, %82 : tensor<61xf32>
  %84 = stablehlo.multiply %12, %83 : tensor<61xf32>
  %85 = stablehlo.subtract %84, %79 : tensor<61xf32>
  %cst_23 = stablehlo.constant dense<0.676795303> : tensor<f32>
  %86 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %87 = stablehlo.add %85, %86 : tensor<61xf32>
  %88 = stablehlo.subtract %87, %79 : tensor<61xf32>
  %cst_24 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %89 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %90 = stablehlo.multiply %89, %88 : tensor<61xf32>
  %91 = stablehlo.divide %10, %7 : tensor<61xf32>
  %92 = stablehlo.subtract %91, %9 : tensor<61xf32>
  %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %93 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %94 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %95 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %96 = stablehlo.multiply %92, %93 : tensor<61xf32>
  %97 = stablehlo.subtract %96, %94 : tensor<61xf32>
  %cst_28 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
  %98 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %99 = stablehlo.add %97, %98 : tensor<61xf32>
  %100 = stablehlo.multiply %92, %99 : tensor<61xf32>
  %101 = stablehlo.subtract %100, %93 : tensor<61xf32>
  %cst_29 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
  %102 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %103 = stablehlo.add %101, %102 : tensor<61xf32>
  %104 = stablehlo.multiply %92, %103 : tensor<61xf32>
  %105 = stablehlo.subtract %104, %99 : tensor<61xf32>
  %cst_30 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
  %106 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %107 = stablehlo.add %105, %106 : tensor<61xf32>
  %108 = stablehlo.multiply %92, %107 : tensor<61xf32>
  %109 = stablehlo.subtract %108, %103 : tensor<61xf32>
  %cst_31 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
  %110 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %111 = stablehlo.add %109, %110 : tensor<61xf32>
  %112 = stablehlo.multiply %92, %111 : tensor<61xf32>
  %113 = stablehlo.subtract %112, %107 : tensor<61xf32>
  %cst_32 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
  %114 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %115 = stablehlo.add %113, %114 : tensor<61xf32>
  %116 = stablehlo.multiply %92, %115 : tensor<61xf32>
  %117 = stablehlo.subtract %116, %111 : tensor<61xf32>
  %cst_33 = stablehlo.constant dense<0.00336911646> : tensor<f32>
  %118 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %119 = stablehlo.add %117, %118 : tensor<61xf32>
  %120 = stablehlo.multiply %92, %119 : tensor<61xf32>
  %121 = stablehlo.subtract %120, %115 : tensor<61xf32>
  %cst_34 = stablehlo.constant dense<0.804490387> : tensor<f32>
  %122 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %123 = stablehlo.add %121, %122 : tensor<61xf32>
  %124 = stablehlo.subtract %123, %115 : tensor<61xf32>
  %cst_35 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %125 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %126 = stablehlo.multiply %125, %124 : tensor<61xf32>
  %127 = stablehlo.sqrt %7 : tensor<61xf32>
  %128 = stablehlo.divide %126, %127 : tensor<61xf32>
  %cst_36 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %129 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %130 = stablehlo.compare LE, %7, %129, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %131 = stablehlo.select %130, %90, %128 : tensor<61xi1>, tensor<61xf32>
  %132 = chlo.bessel_i1e %0 : tensor<61xf32> -> tensor<61xf32>
  %133 = stablehlo.sign %0 : tensor<61xf32>
  %134 = stablehlo.multiply %133, %131 : tensor<61xf32>
  %135 = stablehlo.subtract %132, %134 : tensor<61xf32>
  %136 = stablehlo.multiply %4, %135 : tensor<61xf32>
  %137 = stablehlo.multiply %5, %131 : tensor<61xf32>
  %138 = stablehlo.multiply %6, %131 : tensor<61xf32>
  %139 = stablehlo.multiply %5, %136 : tensor<61xf32>
  %140 = stablehlo.add %138, %139 : tensor<61xf32>
  %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %141 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %142 = stablehlo.compare EQ, %arg0, %141, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %143 = call @f32_rule._where(%142, %cst_38, %140) : (tensor<61xi1>, tensor<f32>, tensor<61xf32>) -> tensor<61xf32>
  return %137, %143 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<f32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = call @f64.i0(%arg0) : (tensor<61xf64>) -> tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64.i0(%arg0: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.abs %arg0 : tensor<61xf64>
  %1 = stablehlo.exponential %0 : tensor<61xf64>
  %2 = stablehlo.abs %0 : tensor<61xf64>
  %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.multiply %3, %2 : tensor<61xf64>
  %7 = stablehlo.subtract %6, %4 : tensor<61xf64>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %11 = stablehlo.multiply %7, %8 : tensor<61xf64>
  %12 = stablehlo.subtract %11, %9 : tensor<61xf64>
  %cst_5 = stablehlo.constant dense<-4.4153416464793395E-18> : tensor<f64>
  %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %14 = stablehlo.add %12, %13 : tensor<61xf64>
  %15 = stablehlo.multiply %7, %14 : tensor<61xf64>
  %16 = stablehlo.subtract %15, %8 : tensor<61xf64>
  %cst_6 = stablehlo.constant dense<3.3307945188222384E-17> : tensor<f64>
  %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.add %16, %17 : tensor<61xf64>
  %19 = stablehlo.multiply %7, %18 : tensor<61xf64>
  %20 = stablehlo.subtract %19, %14 : tensor<61xf64>
  %cst_7 = stablehlo.constant dense<-2.4312798465479549E-16> : tensor<f64>
  %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %22 = stablehlo.add %20, %21 : tensor<61xf64>
  %23 = stablehlo.multiply %7, %22 : tensor<61xf64>
  %24 = stablehlo.subtract %23, %18 : tensor<61xf64>
  %cst_8 = stablehlo.constant dense<1.7153912855551331E-15> : tensor<f64>
  %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %26 = stablehlo.add %24, %25 : tensor<61xf64>
  %27 = stablehlo.multiply %7, %26 : tensor<61xf64>
  %28 = stablehlo.subtract %27, %22 : tensor<61xf64>
  %cst_9 = stablehlo.constant dense<-1.1685332877993451E-14> : tensor<f64>
  %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %30 = stablehlo.add %28, %29 : tensor<61xf64>
  %31 = stablehlo.multiply %7, %30 : tensor<61xf64>
  %32 = stablehlo.subtract %31, %26 : tensor<61xf64>
  %cst_10 = stablehlo.constant dense<7.6761854986049361E-14> : tensor<f64>
  %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %34 = stablehlo.add %32, %33 : tensor<61xf64>
  %35 = stablehlo.multiply %7, %34 : tensor<61xf64>
  %36 = stablehlo.subtract %35, %30 : tensor<61xf64>
  %cst_11 = stablehlo.constant dense<-4.856446783111929E-13> : tensor<f64>
  %37 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %38 = stablehlo.add %36, %37 : tensor<61xf64>
  %39 = stablehlo.multiply %7, %38 : tensor<61xf64>
  %40 = stablehlo.subtract %39, %34 : tensor<61xf64>
  %cst_12 = stablehlo.constant dense<2.9550526631296399E-12> : tensor<f64>
  %41 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %42 = stablehlo.add %40, %41 : tensor<61xf64>
  %43 = stablehlo.multiply %7, %42 : tensor<61xf64>
  %44 = stablehlo.subtract %43, %38 : tensor<61xf64>
  %cst_13 = stablehlo.constant dense<-1.7268262914415559E-11> : tensor<f64>
  %45 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %46 = stablehlo.add %44, %45 : tensor<61xf64>
  %47 = stablehlo.multiply %7, %46 : tensor<61xf64>
  %48 = stablehlo.subtract %47, %42 : tensor<61xf64>
  %cst_14 = stablehlo.constant dense<9.6758090353732369E-11> : tensor<f64>
  %49 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %50 = stablehlo.add %48, %49 : tensor<61xf64>
  %51 = stablehlo.multiply %7, %50 : tensor<61xf64>
  %52 = stablehlo.subtract %51, %46 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<-5.1897956016352627E-10> : tensor<f64>
  %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %54 = stablehlo.add %52, %53 : tensor<61xf64>
  %55 = stablehlo.multiply %7, %54 : tensor<61xf64>
  %56 = stablehlo.subtract %55, %50 : tensor<61xf64>
  %cst_16 = stablehlo.constant dense<2.6598237246823866E-9> : tensor<f64>
  %57 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %58 = stablehlo.add %56, %57 : tensor<61xf64>
  %59 = stablehlo.multiply %7, %58 : tensor<61xf64>
  %60 = stablehlo.subtract %59, %54 : tensor<61xf64>
  %cst_17 = stablehlo.constant dense<-1.300025009986248E-8> : tensor<f64>
  %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %62 = stablehlo.add %60, %61 : tensor<61xf64>
  %63 = stablehlo.multiply %7, %62 : tensor<61xf64>
  %64 = stablehlo.subtract %63, %58 : tensor<61xf64>
  %cst_18 = stablehlo.constant dense<6.0469950225419186E-8> : tensor<f64>
  %65 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %66 = stablehlo.add %64, %65 : tensor<61xf64>
  %67 = stablehlo.multiply %7, %66 : tensor<61xf64>
  %68 = stablehlo.subtract %67, %62 : tensor<61xf64>
  %cst_19 = stablehlo.constant dense<-2.6707938539406119E-7> : tensor<f64>
  %69 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %70 = stablehlo.add %68, %69 : tensor<61xf64>
  %71 = stablehlo.multiply %7, %70 : tensor<61xf64>
  %72 = stablehlo.subtract %71, %66 : tensor<61xf64>
  %cst_20 = stablehlo.constant dense<1.1173875391201037E-6> : tensor<f64>
  %73 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %74 = stablehlo.add %72, %73 : tensor<61xf64>
  %75 = stablehlo.multiply %7, %74 : tensor<61xf64>
  %76 = stablehlo.subtract %75, %70 : tensor<61xf64>
  %cst_21 = stablehlo.constant dense<-4.4167383584587505E-6> : tensor<f64>
  %77 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %78 = stablehlo.add %76, %77 : tensor<61xf64>
  %79 = stablehlo.multiply %7, %78 : tensor<61xf64>
  %80 = stablehlo.subtract %79, %74 : tensor<61xf64>
  %cst_22 = stablehlo.constant dense<1.6448448070728896E-5> : tensor<f64>
  %81 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %82 = stablehlo.add %80, %81 : tensor<61xf64>
  %83 = stablehlo.multiply %7, %82 : tensor<61xf64>
  %84 = stablehlo.subtract %83, %78 : tensor<61xf64>
  %cst_23 = stablehlo.constant dense<-5.754195010082104E-5> : tensor<f64>
  %85 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %86 = stablehlo.add %84, %85 : tensor<61xf64>
  %87 = stablehlo.multiply %7, %86 : tensor<61xf64>
  %88 = stablehlo.subtract %87, %82 : tensor<61xf64>
  %cst_24 = stablehlo.constant dense<1.8850288509584165E-4> : tensor<f64>
  %89 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %90 = stablehlo.add %88, %89 : tensor<61xf64>
  %91 = stablehlo.multiply %7, %90 : tensor<61xf64>
  %92 = stablehlo.subtract %91, %86 : tensor<61xf64>
  %cst_25 = stablehlo.constant dense<-5.7637557453858236E-4> : tensor<f64>
  %93 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %94 = stablehlo.add %92, %93 : tensor<61xf64>
  %95 = stablehlo.multiply %7, %94 : tensor<61xf64>
  %96 = stablehlo.subtract %95, %90 : tensor<61xf64>
  %cst_26 = stablehlo.constant dense<0.0016394756169413357> : tensor<f64>
  %97 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %98 = stablehlo.add %96, %97 : tensor<61xf64>
  %99 = stablehlo.multiply %7, %98 : tensor<61xf64>
  %100 = stablehlo.subtract %99, %94 : tensor<61xf64>
  %cst_27 = stablehlo.constant dense<-0.0043243099950505759> : tensor<f64>
  %101 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %102 = stablehlo.add %100, %101 : tensor<61xf64>
  %103 = stablehlo.multiply %7, %102 : tensor<61xf64>
  %104 = stablehlo.subtract %103, %98 : tensor<61xf64>
  %cst_28 = stablehlo.constant dense<0.010546460394594998> : tensor<f64>
  %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %106 = stablehlo.add %104, %105 : tensor<61xf64>
  %107 = stablehlo.multiply %7, %106 : tensor<61xf64>
  %108 = stablehlo.subtract %107, %102 : tensor<61xf64>
  %cst_29 = stablehlo.constant dense<-0.023737414805899471> : tensor<f64>
  %109 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %110 = stablehlo.add %108, %109 : tensor<61xf64>
  %111 = stablehlo.multiply %7, %110 : tensor<61xf64>
  %112 = stablehlo.subtract %111, %106 : tensor<61xf64>
  %cst_30 = stablehlo.constant dense<0.049305284239670712> : tensor<f64>
  %113 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %114 = stablehlo.add %112, %113 : tensor<61xf64>
  %115 = stablehlo.multiply %7, %114 : tensor<61xf64>
  %116 = stablehlo.subtract %115, %110 : tensor<61xf64>
  %cst_31 = stablehlo.constant dense<-0.094901097048047639> : tensor<f64>
  %117 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %118 = stablehlo.add %116, %117 : tensor<61xf64>
  %119 = stablehlo.multiply %7, %118 : tensor<61xf64>
  %120 = stablehlo.subtract %119, %114 : tensor<61xf64>
  %cst_32 = stablehlo.constant dense<0.17162090152220877> : tensor<f64>
  %121 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %122 = stablehlo.add %120, %121 : tensor<61xf64>
  %123 = stablehlo.multiply %7, %122 : tensor<61xf64>
  %124 = stablehlo.subtract %123, %118 : tensor<61xf64>
  %cst_33 = stablehlo.constant dense<-0.3046826723431984> : tensor<f64>
  %125 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %126 = stablehlo.add %124, %125 : tensor<61xf64>
  %127 = stablehlo.multiply %7, %126 : tensor<61xf64>
  %128 = stablehlo.subtract %127, %122 : tensor<61xf64>
  %cst_34 = stablehlo.constant dense<0.67679527440947607> : tensor<f64>
  %129 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %130 = stablehlo.add %128, %129 : tensor<61xf64>
  %131 = stablehlo.subtract %130, %122 : tensor<61xf64>
  %cst_35 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %132 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %133 = stablehlo.multiply %132, %131 : tensor<61xf64>
  %134 = stablehlo.divide %5, %2 : tensor<61xf64>
  %135 = stablehlo.subtract %134, %4 : tensor<61xf64>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %136 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %137 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %138 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %139 = stablehlo.multiply %135, %136 : tensor<61xf64>
  %140 = stablehlo.subtract %139, %137 : tensor<61xf64>
  %cst_39 = stablehlo.constant dense<-7.2331804878747538E-18> : tensor<f64>
  %141 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %142 = stablehlo.add %140, %141 : tensor<61xf64>
  %143 = stablehlo.multiply %135, %142 : tensor<61xf64>
  %144 = stablehlo.subtract %143, %136 : tensor<61xf64>
  %cst_40 = stablehlo.constant dense<-4.8305044859441819E-18> : tensor<f64>
  %145 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %146 = stablehlo.add %144, %145 : tensor<61xf64>
  %147 = stablehlo.multiply %135, %146 : tensor<61xf64>
  %148 = stablehlo.subtract %147, %142 : tensor<61xf64>
  %cst_41 = stablehlo.constant dense<4.4656214202967598E-17> : tensor<f64>
  %149 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %150 = stablehlo.add %148, %149 : tensor<61xf64>
  %151 = stablehlo.multiply %135, %150 : tensor<61xf64>
  %152 = stablehlo.subtract %151, %146 : tensor<61xf64>
  %cst_42 = stablehlo.constant dense<3.4612228676974612E-17> : tensor<f64>
  %153 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %154 = stablehlo.add %152, %153 : tensor<61xf64>
  %155 = stablehlo.multiply %135, %154 : tensor<61xf64>
  %156 = stablehlo.subtract %155, %150 : tensor<61xf64>
  %cst_43 = stablehlo.constant dense<-2.8276239805165836E-16> : tensor<f64>
  %157 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %158 = stablehlo.add %156, %157 : tensor<61xf64>
  %159 = stablehlo.multiply %135, %158 : tensor<61xf64>
  %160 = stablehlo.subtract %159, %154 : tensor<61xf64>
  %cst_44 = stablehlo.constant dense<-3.425485619677219E-16> : tensor<f64>
  %161 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %162 = stablehlo.add %160, %161 : tensor<61xf64>
  %163 = stablehlo.multiply %135, %162 : tensor<61xf64>
  %164 = stablehlo.subtract %163, %158 : tensor<61xf64>
  %cst_45 = stablehlo.constant dense<1.7725601330565263E-15> : tensor<f64>
  %165 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %166 = stablehlo.add %164, %165 : tensor<61xf64>
  %167 = stablehlo.multiply %135, %166 : tensor<61xf64>
  %168 = stablehlo.subtract %167, %162 : tensor<61xf64>
  %cst_46 = stablehlo.constant dense<3.8116806693526224E-15> : tensor<f64>
  %169 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %170 = stablehlo.add %168, %169 : tensor<61xf64>
  %171 = stablehlo.multiply %135, %170 : tensor<61xf64>
  %172 = stablehlo.subtract %171, %166 : tensor<61xf64>
  %cst_47 = stablehlo.constant dense<-9.5548466988283073E-15> : tensor<f64>
  %173 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %174 = stablehlo.add %172, %173 : tensor<61xf64>
  %175 = stablehlo.multiply %135, %174 : tensor<61xf64>
  %176 = stablehlo.subtract %175, %170 : tensor<61xf64>
  %cst_48 = stablehlo.constant dense<-4.1505693472872222E-14> : tensor<f64>
  %177 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %178 = stablehlo.add %176, %177 : tensor<61xf64>
  %179 = stablehlo.multiply %135, %178 : tensor<61xf64>
  %180 = stablehlo.subtract %179, %174 : tensor<61xf64>
  %cst_49 = stablehlo.constant dense<1.54008621752141E-14> : tensor<f64>
  %181 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %182 = stablehlo.add %180, %181 : tensor<61xf64>
  %183 = stablehlo.multiply %135, %182 : tensor<61xf64>
  %184 = stablehlo.subtract %183, %178 : tensor<61xf64>
  %cst_50 = stablehlo.constant dense<3.8527783827421426E-13> : tensor<f64>
  %185 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %186 = stablehlo.add %184, %185 : tensor<61xf64>
  %187 = stablehlo.multiply %135, %186 : tensor<61xf64>
  %188 = stablehlo.subtract %187, %182 : tensor<61xf64>
  %cst_51 = stablehlo.constant dense<7.180124451383666E-13> : tensor<f64>
  %189 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %190 = stablehlo.add %188, %189 : tensor<61xf64>
  %191 = stablehlo.multiply %135, %190 : tensor<61xf64>
  %192 = stablehlo.subtract %191, %186 : tensor<61xf64>
  %cst_52 = stablehlo.constant dense<-1.7941785315068062E-12> : tensor<f64>
  %193 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %194 = stablehlo.add %192, %193 : tensor<61xf64>
  %195 = stablehlo.multiply %135, %194 : tensor<61xf64>
  %196 = stablehlo.subtract %195, %190 : tensor<61xf64>
  %cst_53 = stablehlo.constant dense<-1.3215811840447713E-11> : tensor<f64>
  %197 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %198 = stablehlo.add %196, %197 : tensor<61xf64>
  %199 = stablehlo.multiply %135, %198 : tensor<61xf64>
  %200 = stablehlo.subtract %199, %194 : tensor<61xf64>
  %cst_54 = stablehlo.constant dense<-3.1499165279632416E-11> : tensor<f64>
  %201 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %202 = stablehlo.add %200, %201 : tensor<61xf64>
  %203 = stablehlo.multiply %135, %202 : tensor<61xf64>
  %204 = stablehlo.subtract %203, %198 : tensor<61xf64>
  %cst_55 = stablehlo.constant dense<1.1889147107846439E-11> : tensor<f64>
  %205 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %206 = stablehlo.add %204, %205 : tensor<61xf64>
  %207 = stablehlo.multiply %135, %206 : tensor<61xf64>
  %208 = stablehlo.subtract %207, %202 : tensor<61xf64>
  %cst_56 = stablehlo.constant dense<4.9406023882249701E-10> : tensor<f64>
  %209 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %210 = stablehlo.add %208, %209 : tensor<61xf64>
  %211 = stablehlo.multiply %135, %210 : tensor<61xf64>
  %212 = stablehlo.subtract %211, %206 : tensor<61xf64>
  %cst_57 = stablehlo.constant dense<3.3962320257083865E-9> : tensor<f64>
  %213 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %214 = stablehlo.add %212, %213 : tensor<61xf64>
  %215 = stablehlo.multiply %135, %214 : tensor<61xf64>
  %216 = stablehlo.subtract %215, %210 : tensor<61xf64>
  %cst_58 = stablehlo.constant dense<2.266668990498178E-8> : tensor<f64>
  %217 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %218 = stablehlo.add %216, %217 : tensor<61xf64>
  %219 = stablehlo.multiply %135, %218 : tensor<61xf64>
  %220 = stablehlo.subtract %219, %214 : tensor<61xf64>
  %cst_59 = stablehlo.constant dense<2.0489185894690638E-7> : tensor<f64>
  %221 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %222 = stablehlo.add %220, %221 : tensor<61xf64>
  %223 = stablehlo.multiply %135, %222 : tensor<61xf64>
  %224 = stablehlo.subtract %223, %218 : tensor<61xf64>
  %cst_60 = stablehlo.constant dense<2.8913705208347567E-6> : tensor<f64>
  %225 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %226 = stablehlo.add %224, %225 : tensor<61xf64>
  %227 = stablehlo.multiply %135, %226 : tensor<61xf64>
  %228 = stablehlo.subtract %227, %222 : tensor<61xf64>
  %cst_61 = stablehlo.constant dense<6.8897583469168245E-5> : tensor<f64>
  %229 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %230 = stablehlo.add %228, %229 : tensor<61xf64>
  %231 = stablehlo.multiply %135, %230 : tensor<61xf64>
  %232 = stablehlo.subtract %231, %226 : tensor<61xf64>
  %cst_62 = stablehlo.constant dense<0.0033691164782556943> : tensor<f64>
  %233 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %234 = stablehlo.add %232, %233 : tensor<61xf64>
  %235 = stablehlo.multiply %135, %234 : tensor<61xf64>
  %236 = stablehlo.subtract %235, %230 : tensor<61xf64>
  %cst_63 = stablehlo.constant dense<0.80449041101410879> : tensor<f64>
  %237 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %238 = stablehlo.add %236, %237 : tensor<61xf64>
  %239 = stablehlo.subtract %238, %230 : tensor<61xf64>
  %cst_64 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %240 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %241 = stablehlo.multiply %240, %239 : tensor<61xf64>
  %242 = stablehlo.sqrt %2 : tensor<61xf64>
  %243 = stablehlo.divide %241, %242 : tensor<61xf64>
  %cst_65 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
  %244 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %245 = stablehlo.compare LE, %2, %244, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %246 = stablehlo.select %245, %133, %243 : tensor<61xi1>, tensor<61xf64>
  %247 = stablehlo.multiply %1, %246 : tensor<61xf64>
  return %247 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0:2 = call @f64_rule.i0(%arg0, %arg1) : (tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  return %0#0, %0#1 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule.i0(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.abs %arg0 : tensor<61xf64>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.compare GE, %arg0, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %3 = stablehlo.negate %arg1 : tensor<61xf64>
  %4 = stablehlo.select %2, %arg1, %3 : tensor<61xi1>, tensor<61xf64>
  %5 = stablehlo.exponential %0 : tensor<61xf64>
  %6 = stablehlo.multiply %4, %5 : tensor<61xf64>
  %7 = stablehlo.abs %0 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
  %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %11 = stablehlo.multiply %8, %7 : tensor<61xf64>
  %12 = stablehlo.subtract %11, %9 : tensor<61xf64>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %16 = stablehlo.multiply %12, %13 : tensor<61xf64>
  %17 = stablehlo.subtract %16, %14 : tensor<61xf64>
  %cst_6 = stablehlo.constant dense<-4.4153416464793395E-18> : tensor<f64>
  %18 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %19 = stablehlo.add %17, %18 : tensor<61xf64>
  %20 = stablehlo.multiply %12, %19 : tensor<61xf64>
  %21 = stablehlo.subtract %20, %13 : tensor<61xf64>
  %cst_7 = stablehlo.constant dense<3.3307945188222384E-17> : tensor<f64>
  %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %23 = stablehlo.add %21, %22 : tensor<61xf64>
  %24 = stablehlo.multiply %12, %23 : tensor<61xf64>
  %25 = stablehlo.subtract %24, %19 : tensor<61xf64>
  %cst_8 = stablehlo.constant dense<-2.4312798465479549E-16> : tensor<f64>
  %26 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.add %25, %26 : tensor<61xf64>
  %28 = stablehlo.multiply %12, %27 : tensor<61xf64>
  %29 = stablehlo.subtract %28, %23 : tensor<61xf64>
  %cst_9 = stablehlo.constant dense<1.7153912855551331E-15> : tensor<f64>
  %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %31 = stablehlo.add %29, %30 : tensor<61xf64>
  %32 = stablehlo.multiply %12, %31 : tensor<61xf64>
  %33 = stablehlo.subtract %32, %27 : tensor<61xf64>
  %cst_10 = stablehlo.constant dense<-1.1685332877993451E-14> : tensor<f64>
  %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %35 = stablehlo.add %33, %34 : tensor<61xf64>
  %36 = stablehlo.multiply %12, %35 : tensor<61xf64>
  %37 = stablehlo.subtract %36, %31 : tensor<61xf64>
  %cst_11 = stablehlo.constant dense<7.6761854986049361E-14> : tensor<f64>
  %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %39 = stablehlo.add %37, %38 : tensor<61xf64>
  %40 = stablehlo.multiply %12, %39 : tensor<61xf64>
  %41 = stablehlo.subtract %40, %35 : tensor<61xf64>
  %cst_12 = stablehlo.constant dense<-4.856446783111929E-13> : tensor<f64>
  %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %43 = stablehlo.add %41, %42 : tensor<61xf64>
  %44 = stablehlo.multiply %12, %43 : tensor<61xf64>
  %45 = stablehlo.subtract %44, %39 : tensor<61xf64>
  %cst_13 = stablehlo.constant dense<2.9550526631296399E-12> : tensor<f64>
  %46 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %47 = stablehlo.add %45, %46 : tensor<61xf64>
  %48 = stablehlo.multiply %12, %47 : tensor<61xf64>
  %49 = stablehlo.subtract %48, %43 : tensor<61xf64>
  %cst_14 = stablehlo.constant dense<-1.7268262914415559E-11> : tensor<f64>
  %50 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %51 = stablehlo.add %49, %50 : tensor<61xf64>
  %52 = stablehlo.multiply %12, %51 : tensor<61xf64>
  %53 = stablehlo.subtract %52, %47 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<9.6758090353732369E-11> : tensor<f64>
  %54 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %55 = stablehlo.add %53, %54 : tensor<61xf64>
  %56 = stablehlo.multiply %12, %55 : tensor<61xf64>
  %57 = stablehlo.subtract %56, %51 : tensor<61xf64>
  %cst_16 = stablehlo.constant dense<-5.1897956016352627E-10> : tensor<f64>
  %58 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %59 = stablehlo.add %57, %58 : tensor<61xf64>
  %60 = stablehlo.multiply %12, %59 : tensor<61xf64>
  %61 = stablehlo.subtract %60, %55 : tensor<61xf64>
  %cst_17 = stablehlo.constant dense<2.6598237246823866E-9> : tensor<f64>
  %62 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %63 = stablehlo.add %61, %62 : tensor<61xf64>
  %64 = stablehlo.multiply %12, %63 : tensor<61xf64>
  %65 = stablehlo.subtract %64, %59 : tensor<61xf64>
  %cst_18 = stablehlo.constant dense<-1.300025009986248E-8> : tensor<f64>
  %66 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %67 = stablehlo.add %65, %66 : tensor<61xf64>
  %68 = stablehlo.multiply %12, %67 : tensor<61xf64>
  %69 = stablehlo.subtract %68, %63 : tensor<61xf64>
  %cst_19 = stablehlo.constant dense<6.0469950225419186E-8> : tensor<f64>
  %70 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %71 = stablehlo.add %69, %70 : tensor<61xf64>
  %72 = stablehlo.multiply %12, %71 : tensor<61xf64>
  %73 = stablehlo.subtract %72, %67 : tensor<61xf64>
  %cst_20 = stablehlo.constant dense<-2.6707938539406119E-7> : tensor<f64>
  %74 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %75 = stablehlo.add %73, %74 : tensor<61xf64>
  %76 = stablehlo.multiply %12, %75 : tensor<61xf64>
  %77 = stablehlo.subtract %76, %71 : tensor<61xf64>
  %cst_21 = stablehlo.constant dense<1.1173875391201037E-6> : tensor<f64>
  %78 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %79 = stablehlo.add %77, %78 : tensor<61xf64>
  %80 = stablehlo.multiply %12, %79 : tensor<61xf64>
  %81 = stablehlo.subtract %80, %75 : tensor<61xf64>
  %cst_22 = stablehlo.constant dense<-4.4167383584587505E-6> : tensor<f64>
  %82 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %83 = stablehlo.add %81, %82 : tensor<61xf64>
  %84 = stablehlo.multiply %12, %83 : tensor<61xf64>
  %85 = stablehlo.subtract %84, %79 : tensor<61xf64>
  %cst_23 = stablehlo.constant dense<1.6448448070728896E-5> : tensor<f64>
  %86 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %87 = stablehlo.add %85, %86 : tensor<61xf64>
  %88 = stablehlo.multiply %12, %87 : tensor<61xf64>
  %89 = stablehlo.subtract %88, %83 : tensor<61xf64>
  %cst_24 = stablehlo.constant dense<-5.754195010082104E-5> : tensor<f64>
  %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %91 = stablehlo.add %89, %90 : tensor<61xf64>
  %92 = stablehlo.multiply %12, %91 : tensor<61xf64>
  %93 = stablehlo.subtract %92, %87 : tensor<61xf64>
  %cst_25 = stablehlo.constant dense<1.8850288509584165E-4> : tensor<f64>
  %94 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %95 = stablehlo.add %93, %94 : tensor<61xf64>
  %96 = stablehlo.multiply %12, %95 : tensor<61xf64>
  %97 = stablehlo.subtract %96, %91 : tensor<61xf64>
  %cst_26 = stablehlo.constant dense<-5.7637557453858236E-4> : tensor<f64>
  %98 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %99 = stablehlo.add %97, %98 : tensor<61xf64>
  %100 = stablehlo.multiply %12, %99 : tensor<61xf64>
  %101 = stablehlo.subtract %100, %95 : tensor<61xf64>
  %cst_27 = stablehlo.constant dense<0.0016394756169413357> : tensor<f64>
  %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %103 = stablehlo.add %101, %102 : tensor<61xf64>
  %104 = stablehlo.multiply %12, %103 : tensor<61xf64>
  %105 = stablehlo.subtract %104, %99 : tensor<61xf64>
  %cst_28 = stablehlo.constant dense<-0.0043243099950505759> : tensor<f64>
  %106 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %107 = stablehlo.add %105, %106 : tensor<61xf64>
  %108 = stablehlo.multiply %12, %107 : tensor<61xf64>
  %109 = stablehlo.subtract %108, %103 : tensor<61xf64>
  %cst_29 = stablehlo.constant dense<0.010546460394594998> : tensor<f64>
  %110 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %111 = stablehlo.add %109, %110 : tensor<61xf64>
  %112 = stablehlo.multiply %12, %111 : tensor<61xf64>
  %113 = stablehlo.subtract %112, %107 : tensor<61xf64>
  %cst_30 = stablehlo.constant dense<-0.023737414805899471> : tensor<f64>
  %114 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %115 = stablehlo.add %113, %114 : tensor<61xf64>
  %116 = stablehlo.multiply %12, %115 : tensor<61xf64>
  %117 = stablehlo.subtract %116, %111 : tensor<61xf64>
  %cst_31 = stablehlo.constant dense<0.049305284239670712> : tensor<f64>
  %118 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %119 = stablehlo.add %117, %118 : tensor<61xf64>
  %120 = stablehlo.multiply %12, %119 : tensor<61xf64>
  %121 = stablehlo.subtract %120, %115 : tensor<61xf64>
  %cst_32 = stablehlo.constant dense<-0.094901097048047639> : tensor<f64>
  %122 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %123 = stablehlo.add %121, %122 : tensor<61xf64>
  %124 = stablehlo.multiply %12, %123 : tensor<61xf64>
  %125 = stablehlo.subtract %124, %119 : tensor<61xf64>
  %cst_33 = stablehlo.constant dense<0.17162090152220877> : tensor<f64>
  %126 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %127 = stablehlo.add %125, %126 : tensor<61xf64>
  %128 = stablehlo.multiply %12, %127 : tensor<61xf64>
  %129 = stablehlo.subtract %128, %123 : tensor<61xf64>
  %cst_34 = stablehlo.constant dense<-0.3046826723431984> : tensor<f64>
  %130 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %131 = stablehlo.add %129, %130 : tensor<61xf64>
  %132 = stablehlo.multiply %12, %131 : tensor<61xf64>
  %133 = stablehlo.subtract %132, %127 : tensor<61xf64>
  %cst_35 = stablehlo.constant dense<0.67679527440947607> : tensor<f64>
  %134 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %135 = stablehlo.add %133, %134 : tensor<61xf64>
  %136 = stablehlo.subtract %135, %127 : tensor<61xf64>
  %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %137 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %138 = stablehlo.multiply %137, %136 : tensor<61xf64>
  %139 = stablehlo.divide %10, %7 : tensor<61xf64>
  %140 = stablehlo.subtract %139, %9 : tensor<61xf64>
  %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %141 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %142 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %143 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %144 = stablehlo.multiply %140, %141 : tensor<61xf64>
  %145 = stablehlo.subtract %144, %142 : tensor<61xf64>
  %cst_40 = stablehlo.constant dense<-7.2331804878747538E-18> : tensor<f64>
  %146 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %147 = stablehlo.add %145, %146 : tensor<61xf64>
  %148 = stablehlo.multiply %140, %147 : tensor<61xf64>
  %149 = stablehlo.subtract %148, %141 : tensor<61xf64>
  %cst_41 = stablehlo.constant dense<-4.8305044859441819E-18> : tensor<f64>
  %150 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %151 = stablehlo.add %149, %150 : tensor<61xf64>
  %152 = stablehlo.multiply %140, %151 : tensor<61xf64>
  %153 = stablehlo.subtract %152, %147 : tensor<61xf64>
  %cst_42 = stablehlo.constant dense<4.4656214202967598E-17> : tensor<f64>
  %154 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %155 = stablehlo.add %153, %154 : tensor<61xf64>
  %156 = stablehlo.multiply %140, %155 : tensor<61xf64>
  %157 = stablehlo.subtract %156, %151 : tensor<61xf64>
  %cst_43 = stablehlo.constant dense<3.4612228676974612E-17> : tensor<f64>
  %158 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %159 = stablehlo.add %157, %158 : tensor<61xf64>
  %160 = stablehlo.multiply %140, %159 : tensor<61xf64>
  %161 = stablehlo.subtract %160, %155 : tensor<61xf64>
  %cst_44 = stablehlo.constant dense<-2.8276239805165836E-16> : tensor<f64>
  %162 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %163 = stablehlo.add %161, %162 : tensor<61xf64>
  %164 = stablehlo.multiply %140, %163 : tensor<61xf64>
  %165 = stablehlo.subtract %164, %159 : tensor<61xf64>
  %cst_45 = stablehlo.constant dense<-3.425485619677219E-16> : tensor<f64>
  %166 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %167 = stablehlo.add %165, %166 : tensor<61xf64>
  %168 = stablehlo.multiply %140, %167 : tensor<61xf64>
  %169 = stablehlo.subtract %168, %163 : tensor<61xf64>
  %cst_46 = stablehlo.constant dense<1.7725601330565263E-15> : tensor<f64>
  %170 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %171 = stablehlo.add %169, %170 : tensor<61xf64>
  %172 = stablehlo.multiply %140, %171 : tensor<61xf64>
  %173 = stablehlo.subtract %172, %167 : tensor<61xf64>
  %cst_47 = stablehlo.constant dense<3.8116806693526224E-15> : tensor<f64>
  %174 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %175 = stablehlo.add %173, %174 : tensor<61xf64>
  %176 = stablehlo.multiply %140, %175 : tensor<61xf64>
  %177 = stablehlo.subtract %176, %171 : tensor<61xf64>
  %cst_48 = stablehlo.constant dense<-9.5548466988283073E-15> : tensor<f64>
  %178 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %179 = stablehlo.add %177, %178 : tensor<61xf64>
  %180 = stablehlo.multiply %140, %179 : tensor<61xf64>
  %181 = stablehlo.subtract %180, %175 : tensor<61xf64>
  %cst_49 = stablehlo.constant dense<-4.1505693472872222E-14> : tensor<f64>
  %182 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %183 = stablehlo.add %181, %182 : tensor<61xf64>
  %184 = stablehlo.multiply %140, %183 : tensor<61xf64>
  %185 = stablehlo.subtract %184, %179 : tensor<61xf64>
  %cst_50 = stablehlo.constant dense<1.54008621752141E-14> : tensor<f64>
  %186 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %187 = stablehlo.add %185, %186 : tensor<61xf64>
  %188 = stablehlo.multiply %140, %187 : tensor<61xf64>
  %189 = stablehlo.subtract %188, %183 : tensor<61xf64>
  %cst_51 = stablehlo.constant dense<3.8527783827421426E-13> : tensor<f64>
  %190 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %191 = stablehlo.add %189, %190 : tensor<61xf64>
  %192 = stablehlo.multiply %140, %191 : tensor<61xf64>
  %193 = stablehlo.subtract %192, %187 : tensor<61xf64>
  %cst_52 = stablehlo.constant dense<7.180124451383666E-13> : tensor<f64>
  %194 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %195 = stablehlo.add %193, %194 : tensor<61xf64>
  %196 = stablehlo.multiply %140, %195 : tensor<61xf64>
  %197 = stablehlo.subtract %196, %191 : tensor<61xf64>
  %cst_53 = stablehlo.constant dense<-1.7941785315068062E-12> : tensor<f64>
  %198 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %199 = stablehlo.add %197, %198 : tensor<61xf64>
  %200 = stablehlo.multiply %140, %199 : tensor<61xf64>
  %201 = stablehlo.subtract %200, %195 : tensor<61xf64>
  %cst_54 = stablehlo.constant dense<-1.3215811840447713E-11> : tensor<f64>
  %202 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %203 = stablehlo.add %201, %202 : tensor<61xf64>
  %204 = stablehlo.multiply %140, %203 : tensor<61xf64>
  %205 = stablehlo.subtract %204, %199 : tensor<61xf64>
  %cst_55 = stablehlo.constant dense<-3.1499165279632416E-11> : tensor<f64>
  %206 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %207 = stablehlo.add %205, %206 : tensor<61xf64>
  %208 = stablehlo.multiply %140, %207 : tensor<61xf64>
  %209 = stablehlo.subtract %208, %203 : tensor<61xf64>
  %cst_56 = stablehlo.constant dense<1.1889147107846439E-11> : tensor<f64>
  %210 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %211 = stablehlo.add %209, %210 : tensor<61xf64>
  %212 = stablehlo.multiply %140, %211 : tensor<61xf64>
  %213 = stablehlo.subtract %212, %207 : tensor<61xf64>
  %cst_57 = stablehlo.constant dense<4.9406023882249701E-10> : tensor<f64>
  %214 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %215 = stablehlo.add %213, %214 : tensor<61xf64>
  %216 = stablehlo.multiply %140, %215 : tensor<61xf64>
  %217 = stablehlo.subtract %216, %211 : tensor<61xf64>
  %cst_58 = stablehlo.constant dense<3.3962320257083865E-9> : tensor<f64>
  %218 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %219 = stablehlo.add %217, %218 : tensor<61xf64>
  %220 = stablehlo.multiply %140, %219 : tensor<61xf64>
  %221 = stablehlo.subtract %220, %215 : tensor<61xf64>
  %cst_59 = stablehlo.constant dense<2.266668990498178E-8> : tensor<f64>
  %222 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %223 = stablehlo.add %221, %222 : tensor<61xf64>
  %224 = stablehlo.multiply %140, %223 : tensor<61xf64>
  %225 = stablehlo.subtract %224, %219 : tensor<61xf64>
  %cst_60 = stablehlo.constant dense<2.0489185894690638E-7> : tensor<f64>
  %226 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %227 = stablehlo.add %225, %226 : tensor<61xf64>
  %228 = stablehlo.multiply %140, %227 : tensor<61xf64>
  %229 = stablehlo.subtract %228, %223 : tensor<61xf64>
  %cst_61 = stablehlo.constant dense<2.8913705208347567E-6> : tensor<f64>
  %230 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %231 = stablehlo.add %229, %230 : tensor<61xf64>
  %232 = stablehlo.multiply %140, %231 : tensor<61xf64>
  %233 = stablehlo.subtract %232, %227 : tensor<61xf64>
  %cst_62 = stablehlo.constant dense<6.8897583469168245E-5> : tensor<f64>
  %234 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %235 = stablehlo.add %233, %234 : tensor<61xf64>
  %236 = stablehlo.multiply %140, %235 : tensor<61xf64>
  %237 = stablehlo.subtract %236, %231 : tensor<61xf64>
  %cst_63 = stablehlo.constant dense<0.0033691164782556943> : tensor<f64>
  %238 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %239 = stablehlo.add %237, %238 : tensor<61xf64>
  %240 = stablehlo.multiply %140, %239 : tensor<61xf64>
  %241 = stablehlo.subtract %240, %235 : tensor<61xf64>
  %cst_64 = stablehlo.constant dense<0.80449041101410879> : tensor<f64>
  %242 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %243 = stablehlo.add %241, %242 : tensor<61xf64>
  %244 = stablehlo.subtract %243, %235 : tensor<61xf64>
  %cst_65 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %245 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %246 = stablehlo.multiply %245, %244 : tensor<61xf64>
  %247 = stablehlo.sqrt %7 : tensor<61xf64>
  %248 = stablehlo.divide %246, %247 : tensor<61xf64>
  %cst_66 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
  %249 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %250 = stablehlo.compare LE, %7, %249, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %251 = stablehlo.select %250, %138, %248 : tensor<61xi1>, tensor<61xf64>
  %252 = chlo.bessel_i1e %0 : tensor<61xf64> -> tensor<61xf64>
  %253 = stablehlo.sign %0 : tensor<61xf64>
  %254 = stablehlo.multiply %253, %251 : tensor<61xf64>
  %255 = stablehlo.subtract %252, %254 : tensor<61xf64>
  %256 = stablehlo.multiply %4, %255 : tensor<61xf64>
  %257 = stablehlo.multiply %5, %251 : tensor<61xf64>
  %258 = stablehlo.multiply %6, %251 : tensor<61xf64>
  %259 = stablehlo.multiply %5, %256 : tensor<61xf64>
  %260 = stablehlo.add %258, %259 : tensor<61xf64>
  %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %261 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %262 = stablehlo.compare EQ, %arg0, %261, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %263 = call @f64_rule._where(%262, %cst_68, %260) : (tensor<61xi1>, tensor<f64>, tensor<61xf64>) -> tensor<61xf64>
  return %257, %263 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<f64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg1 : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %2 : tensor<61xf64>
}
