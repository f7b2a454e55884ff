"builtin.module"() <{sym_name = "jit_k"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "empty_mesh"}> {stablehlo.mesh = {axes = []}} : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg70: tensor<2xui32>, %arg71: tensor<2x4xf32>):
    %219 = "sdy.sharding_constraint"(%arg70) <{sharding = #sdy.sharding<@empty_mesh, [{}]>}> : (tensor<2xui32>) -> tensor<2xui32>
    %220 = "func.call"(%219) <{callee = @_threefry_split}> : (tensor<2xui32>) -> tensor<2x2xui32>
    %221 = "stablehlo.slice"(%220) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %222 = "stablehlo.reshape"(%221) : (tensor<1x2xui32>) -> tensor<2xui32>
    %223 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %225 = "stablehlo.compare"(%arg71, %224) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %226 = "func.call"(%arg71) <{callee = @sort}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %227 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %228 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %229 = "func.call"(%222, %227, %228) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<2x4xf32>
    %230 = "func.call"(%225, %226, %229) <{callee = @_where}> : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%230) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xui32>) -> tensor<2x2xui32>, res_attrs = [{}], sym_name = "_threefry_split", sym_visibility = "private"}> ({
  ^bb0(%arg69: tensor<2xui32>):
    %202 = "stablehlo.slice"(%arg69) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %203 = "stablehlo.reshape"(%202) : (tensor<1xui32>) -> tensor<ui32>
    %204 = "stablehlo.slice"(%arg69) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %205 = "stablehlo.reshape"(%204) : (tensor<1xui32>) -> tensor<ui32>
    %206 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xui64>
    %207 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %209 = "stablehlo.multiply"(%208, %206) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %210 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %212 = "stablehlo.shift_right_logical"(%209, %211) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %213 = "stablehlo.convert"(%209) : (tensor<2xui64>) -> tensor<2xui32>
    %214 = "stablehlo.convert"(%212) : (tensor<2xui64>) -> tensor<2xui32>
    %215:2 = "func.call"(%203, %205, %214, %213) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %216 = "stablehlo.broadcast_in_dim"(%215#0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %217 = "stablehlo.broadcast_in_dim"(%215#1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %218 = "stablehlo.concatenate"(%216, %217) <{dimension = 1 : i64}> : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    "func.return"(%218) : (tensor<2x2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg47: tensor<ui32>, %arg48: tensor<ui32>, %arg49: tensor<2xui32>, %arg50: tensor<2xui32>):
    %185 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %186 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %187 = "stablehlo.xor"(%arg47, %arg48) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %188 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %189 = "stablehlo.xor"(%187, %188) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %190 = "stablehlo.broadcast_in_dim"(%arg47) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %191 = "stablehlo.add"(%arg49, %190) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %192 = "stablehlo.broadcast_in_dim"(%arg48) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %193 = "stablehlo.add"(%arg50, %192) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %194 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %195 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %196:9 = "stablehlo.while"(%195, %194, %191, %193, %arg48, %189, %arg47, %185, %186) ({
    ^bb0(%arg60: tensor<i32>, %arg61: tensor<i32>, %arg62: tensor<2xui32>, %arg63: tensor<2xui32>, %arg64: tensor<ui32>, %arg65: tensor<ui32>, %arg66: tensor<ui32>, %arg67: tensor<4xui32>, %arg68: tensor<4xui32>):
      %200 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %201 = "stablehlo.compare"(%arg60, %200) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%201) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg51: tensor<i32>, %arg52: tensor<i32>, %arg53: tensor<2xui32>, %arg54: tensor<2xui32>, %arg55: tensor<ui32>, %arg56: tensor<ui32>, %arg57: tensor<ui32>, %arg58: tensor<4xui32>, %arg59: tensor<4xui32>):
      %197:8 = "func.call"(%arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59) <{callee = @closed_call}> : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %198 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %199 = "stablehlo.add"(%arg51, %198) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%199, %197#0, %197#1, %197#2, %197#3, %197#4, %197#5, %197#6, %197#7) : (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%196#2, %196#3) : (tensor<2xui32>, tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<i32>, %arg40: tensor<2xui32>, %arg41: tensor<2xui32>, %arg42: tensor<ui32>, %arg43: tensor<ui32>, %arg44: tensor<ui32>, %arg45: tensor<4xui32>, %arg46: tensor<4xui32>):
    %130 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %131 = "stablehlo.add"(%arg39, %130) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %132 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %133 = "stablehlo.reshape"(%132) : (tensor<1xui32>) -> tensor<ui32>
    %134 = "stablehlo.add"(%arg40, %arg41) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %135 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %136 = "stablehlo.shift_left"(%arg41, %135) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %137 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %138 = "stablehlo.subtract"(%137, %133) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %140 = "stablehlo.shift_right_logical"(%arg41, %139) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %141 = "stablehlo.or"(%136, %140) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %142 = "stablehlo.xor"(%134, %141) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %143 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %144 = "stablehlo.reshape"(%143) : (tensor<1xui32>) -> tensor<ui32>
    %145 = "stablehlo.add"(%134, %142) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %146 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %147 = "stablehlo.shift_left"(%142, %146) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %148 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %149 = "stablehlo.subtract"(%148, %144) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %151 = "stablehlo.shift_right_logical"(%142, %150) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %152 = "stablehlo.or"(%147, %151) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %153 = "stablehlo.xor"(%145, %152) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %154 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %155 = "stablehlo.reshape"(%154) : (tensor<1xui32>) -> tensor<ui32>
    %156 = "stablehlo.add"(%145, %153) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %157 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %158 = "stablehlo.shift_left"(%153, %157) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %159 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %160 = "stablehlo.subtract"(%159, %155) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %162 = "stablehlo.shift_right_logical"(%153, %161) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %163 = "stablehlo.or"(%158, %162) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %164 = "stablehlo.xor"(%156, %163) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %165 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %166 = "stablehlo.reshape"(%165) : (tensor<1xui32>) -> tensor<ui32>
    %167 = "stablehlo.add"(%156, %164) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %168 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %169 = "stablehlo.shift_left"(%164, %168) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %170 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %171 = "stablehlo.subtract"(%170, %166) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %173 = "stablehlo.shift_right_logical"(%164, %172) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %174 = "stablehlo.or"(%169, %173) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %175 = "stablehlo.xor"(%167, %174) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %176 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %177 = "stablehlo.add"(%167, %176) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %178 = "stablehlo.broadcast_in_dim"(%arg43) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %179 = "stablehlo.add"(%175, %178) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %180 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %181 = "stablehlo.add"(%arg39, %180) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %182 = "stablehlo.convert"(%181) : (tensor<i32>) -> tensor<ui32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %184 = "stablehlo.add"(%179, %183) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    "func.return"(%131, %177, %184, %arg43, %arg44, %arg42, %arg46, %arg45) : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<2x4xf32>):
    %114 = "stablehlo.sort"(%arg36) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %115 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %116 = "stablehlo.compare"(%arg37, %115) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %117 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %118 = "stablehlo.select"(%116, %117, %arg37) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %119 = "stablehlo.compare"(%arg37, %arg37) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %120 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %121 = "stablehlo.select"(%119, %120, %118) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %123 = "stablehlo.compare"(%arg38, %122) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %124 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %125 = "stablehlo.select"(%123, %124, %arg38) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %126 = "stablehlo.compare"(%arg38, %arg38) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %127 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %128 = "stablehlo.select"(%126, %127, %125) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %129 = "stablehlo.compare"(%121, %128) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%129) : (tensor<i1>) -> ()
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%114) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<2xui32>, %arg34: tensor<f32>, %arg35: tensor<f32>):
    %73 = "stablehlo.convert"(%arg34) : (tensor<f32>) -> tensor<f32>
    %74 = "stablehlo.convert"(%arg35) : (tensor<f32>) -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %76 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %77 = "stablehlo.slice"(%arg33) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %78 = "stablehlo.reshape"(%77) : (tensor<1xui32>) -> tensor<ui32>
    %79 = "stablehlo.slice"(%arg33) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %80 = "stablehlo.reshape"(%79) : (tensor<1xui32>) -> tensor<ui32>
    %81 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x4xui64>
    %82 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x4xui64>
    %83 = "stablehlo.constant"() <{value = dense<4> : tensor<ui64>}> : () -> tensor<ui64>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2x4xui64>
    %85 = "stablehlo.multiply"(%84, %81) : (tensor<2x4xui64>, tensor<2x4xui64>) -> tensor<2x4xui64>
    %86 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2x4xui64>
    %88 = "stablehlo.multiply"(%87, %82) : (tensor<2x4xui64>, tensor<2x4xui64>) -> tensor<2x4xui64>
    %89 = "stablehlo.add"(%85, %88) : (tensor<2x4xui64>, tensor<2x4xui64>) -> tensor<2x4xui64>
    %90 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2x4xui64>
    %92 = "stablehlo.shift_right_logical"(%89, %91) : (tensor<2x4xui64>, tensor<2x4xui64>) -> tensor<2x4xui64>
    %93 = "stablehlo.convert"(%89) : (tensor<2x4xui64>) -> tensor<2x4xui32>
    %94 = "stablehlo.convert"(%92) : (tensor<2x4xui64>) -> tensor<2x4xui32>
    %95:2 = "func.call"(%78, %80, %94, %93) <{callee = @threefry2x32_0}> : (tensor<ui32>, tensor<ui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>)
    %96 = "stablehlo.xor"(%95#0, %95#1) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %97 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %99 = "stablehlo.shift_right_logical"(%96, %98) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %100 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %102 = "stablehlo.or"(%99, %101) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %103 = "stablehlo.bitcast_convert"(%102) : (tensor<2x4xui32>) -> tensor<2x4xf32>
    %104 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %106 = "stablehlo.subtract"(%103, %105) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %107 = "stablehlo.subtract"(%76, %75) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<2x4xf32>
    %109 = "stablehlo.multiply"(%106, %108) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %110 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<2x4xf32>
    %111 = "stablehlo.add"(%109, %110) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %112 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<2x4xf32>
    %113 = "stablehlo.maximum"(%112, %111) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%113) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>), sym_name = "threefry2x32_0", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<ui32>, %arg12: tensor<ui32>, %arg13: tensor<2x4xui32>, %arg14: tensor<2x4xui32>):
    %56 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %57 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %58 = "stablehlo.xor"(%arg11, %arg12) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %59 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %60 = "stablehlo.xor"(%58, %59) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %61 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %62 = "stablehlo.add"(%arg13, %61) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %63 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %64 = "stablehlo.add"(%arg14, %63) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %67:9 = "stablehlo.while"(%66, %65, %62, %64, %arg12, %60, %arg11, %56, %57) ({
    ^bb0(%arg24: tensor<i32>, %arg25: tensor<i32>, %arg26: tensor<2x4xui32>, %arg27: tensor<2x4xui32>, %arg28: tensor<ui32>, %arg29: tensor<ui32>, %arg30: tensor<ui32>, %arg31: tensor<4xui32>, %arg32: tensor<4xui32>):
      %71 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %72 = "stablehlo.compare"(%arg24, %71) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%72) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<i32>, %arg16: tensor<i32>, %arg17: tensor<2x4xui32>, %arg18: tensor<2x4xui32>, %arg19: tensor<ui32>, %arg20: tensor<ui32>, %arg21: tensor<ui32>, %arg22: tensor<4xui32>, %arg23: tensor<4xui32>):
      %68:8 = "func.call"(%arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23) <{callee = @closed_call_1}> : (tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %69 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %70 = "stablehlo.add"(%arg15, %69) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%70, %68#0, %68#1, %68#2, %68#3, %68#4, %68#5, %68#6, %68#7) : (tensor<i32>, tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%67#2, %67#3) : (tensor<2x4xui32>, tensor<2x4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call_1", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<2x4xui32>, %arg5: tensor<2x4xui32>, %arg6: tensor<ui32>, %arg7: tensor<ui32>, %arg8: tensor<ui32>, %arg9: tensor<4xui32>, %arg10: tensor<4xui32>):
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.add"(%arg3, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %4 = "stablehlo.reshape"(%3) : (tensor<1xui32>) -> tensor<ui32>
    %5 = "stablehlo.add"(%arg4, %arg5) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %6 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %7 = "stablehlo.shift_left"(%arg5, %6) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %8 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %9 = "stablehlo.subtract"(%8, %4) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %11 = "stablehlo.shift_right_logical"(%arg5, %10) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %12 = "stablehlo.or"(%7, %11) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %13 = "stablehlo.xor"(%5, %12) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %14 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %15 = "stablehlo.reshape"(%14) : (tensor<1xui32>) -> tensor<ui32>
    %16 = "stablehlo.add"(%5, %13) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %18 = "stablehlo.shift_left"(%13, %17) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %19 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %20 = "stablehlo.subtract"(%19, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %22 = "stablehlo.shift_right_logical"(%13, %21) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %23 = "stablehlo.or"(%18, %22) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %24 = "stablehlo.xor"(%16, %23) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %25 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %26 = "stablehlo.reshape"(%25) : (tensor<1xui32>) -> tensor<ui32>
    %27 = "stablehlo.add"(%16, %24) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %28 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %29 = "stablehlo.shift_left"(%24, %28) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %30 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %31 = "stablehlo.subtract"(%30, %26) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %33 = "stablehlo.shift_right_logical"(%24, %32) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %34 = "stablehlo.or"(%29, %33) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %35 = "stablehlo.xor"(%27, %34) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %36 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %37 = "stablehlo.reshape"(%36) : (tensor<1xui32>) -> tensor<ui32>
    %38 = "stablehlo.add"(%27, %35) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %39 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %40 = "stablehlo.shift_left"(%35, %39) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %41 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %42 = "stablehlo.subtract"(%41, %37) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %44 = "stablehlo.shift_right_logical"(%35, %43) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %45 = "stablehlo.or"(%40, %44) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %46 = "stablehlo.xor"(%38, %45) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %47 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %48 = "stablehlo.add"(%38, %47) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %49 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %50 = "stablehlo.add"(%46, %49) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    %51 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.add"(%arg3, %51) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %53 = "stablehlo.convert"(%52) : (tensor<i32>) -> tensor<ui32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x4xui32>
    %55 = "stablehlo.add"(%50, %54) : (tensor<2x4xui32>, tensor<2x4xui32>) -> tensor<2x4xui32>
    "func.return"(%2, %48, %55, %arg7, %arg8, %arg6, %arg10, %arg9) : (tensor<i32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4xi1>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x4xf32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
