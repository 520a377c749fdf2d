"""The names that each family registers, and those with traits, so that a program imports only the families it needs.

Written by `python -m tests.ops.family_index`; `tests/ops/test_family_index.py` fails if it is out of date.
"""

from __future__ import annotations

NAMES_OF_FAMILIES = {
    "modules.activation": """
        nn.CELU nn.ELU nn.GELU nn.GLU nn.Hardshrink nn.Hardsigmoid nn.Hardswish nn.Hardtanh nn.LeakyReLU nn.LogSigmoid
        nn.LogSoftmax nn.Mish nn.PReLU nn.RReLU nn.ReLU nn.ReLU6 nn.SELU nn.SiLU nn.Sigmoid nn.Softmax nn.Softmax2d
        nn.Softmin nn.Softplus nn.Softshrink nn.Softsign nn.Tanh nn.Tanhshrink nn.Threshold
    """,
    "modules.attention": "nn.MultiheadAttention",
    "modules.container": "nn.ModuleDict nn.ModuleList nn.ParameterDict nn.ParameterList nn.Sequential",
    "modules.conv": """
        nn.Conv1d nn.Conv2d nn.Conv3d nn.ConvTranspose1d nn.ConvTranspose2d nn.ConvTranspose3d nn.LazyConv1d
        nn.LazyConv2d nn.LazyConv3d nn.LazyConvTranspose1d nn.LazyConvTranspose2d nn.LazyConvTranspose3d
    """,
    "modules.distance": "nn.CosineSimilarity nn.PairwiseDistance",
    "modules.dropout": "nn.AlphaDropout nn.Dropout nn.Dropout1d nn.Dropout2d nn.Dropout3d nn.FeatureAlphaDropout",
    "modules.einops": "einops.layers.torch.EinMix einops.layers.torch.Rearrange einops.layers.torch.Reduce",
    "modules.embedding": "nn.Embedding nn.EmbeddingBag",
    "modules.linear": "nn.Bilinear nn.LazyLinear nn.Linear nn.NonDynamicallyQuantizableLinear",
    "modules.loss": """
        nn.BCELoss nn.BCEWithLogitsLoss nn.CTCLoss nn.CrossEntropyLoss nn.GaussianNLLLoss nn.HingeEmbeddingLoss
        nn.HuberLoss nn.KLDivLoss nn.L1Loss nn.MSELoss nn.MultiLabelSoftMarginLoss nn.NLLLoss nn.NLLLoss2d
        nn.PoissonNLLLoss nn.SmoothL1Loss nn.SoftMarginLoss
    """,
    "modules.loss_head": "nn.AdaptiveLogSoftmaxWithLoss nn.LinearCrossEntropyLoss",
    "modules.loss_margin": """
        nn.CosineEmbeddingLoss nn.MarginRankingLoss nn.MultiLabelMarginLoss nn.MultiMarginLoss nn.TripletMarginLoss
        nn.TripletMarginWithDistanceLoss
    """,
    "modules.norm": """
        nn.BatchNorm1d nn.BatchNorm2d nn.BatchNorm3d nn.InstanceNorm1d nn.InstanceNorm2d nn.InstanceNorm3d
        nn.LazyBatchNorm1d nn.LazyBatchNorm2d nn.LazyBatchNorm3d nn.LazyInstanceNorm1d nn.LazyInstanceNorm2d
        nn.LazyInstanceNorm3d nn.SyncBatchNorm
    """,
    "modules.norm_layer": "nn.CrossMapLRN2d nn.GroupNorm nn.LayerNorm nn.LocalResponseNorm nn.RMSNorm",
    "modules.pad": """
        nn.CircularPad1d nn.CircularPad2d nn.CircularPad3d nn.ConstantPad1d nn.ConstantPad2d nn.ConstantPad3d
        nn.ReflectionPad1d nn.ReflectionPad2d nn.ReflectionPad3d nn.ReplicationPad1d nn.ReplicationPad2d
        nn.ReplicationPad3d nn.ZeroPad1d nn.ZeroPad2d nn.ZeroPad3d
    """,
    "modules.pool": """
        nn.AdaptiveAvgPool1d nn.AdaptiveAvgPool2d nn.AdaptiveAvgPool3d nn.AdaptiveMaxPool1d nn.AdaptiveMaxPool2d
        nn.AdaptiveMaxPool3d nn.AvgPool1d nn.AvgPool2d nn.AvgPool3d nn.FractionalMaxPool2d nn.FractionalMaxPool3d
        nn.LPPool1d nn.LPPool2d nn.LPPool3d nn.MaxPool1d nn.MaxPool2d nn.MaxPool3d nn.MaxUnpool1d nn.MaxUnpool2d
        nn.MaxUnpool3d
    """,
    "modules.resample": """
        nn.ChannelShuffle nn.Fold nn.PixelShuffle nn.PixelUnshuffle nn.Unfold nn.Upsample nn.UpsamplingBilinear2d
        nn.UpsamplingNearest2d
    """,
    "modules.reshape": "nn.Flatten nn.Identity nn.Unflatten",
    "modules.rnn": "nn.GRU nn.GRUCell nn.LSTM nn.LSTMCell nn.RNN nn.RNNCell",
    "modules.third_party": """
        ao.nn.quantized.FloatFunctional ao.nn.quantized.QFunctional ao.quantization.DeQuantStub
        ao.quantization.QuantStub ao.quantization.stubs.DeQuantStub ao.quantization.stubs.QuantStub nn.FloatFunctional
        nn.Module nn.modules.module.Module nn.quantized.FloatFunctional quantization.DeQuantStub quantization.QuantStub
        torch_einops_utils.Identity torch_einops_utils.Sequential torch_einops_utils.nn.Identity
        torch_einops_utils.nn.Sequential torchvision.ops.Conv2dNormActivation torchvision.ops.Conv3dNormActivation
        torchvision.ops.ConvNormActivation torchvision.ops.FrozenBatchNorm2d torchvision.ops.MLP torchvision.ops.Permute
        torchvision.ops.SqueezeExcitation torchvision.ops.StochasticDepth torchvision.ops.misc.Conv2dNormActivation
        torchvision.ops.misc.Conv3dNormActivation torchvision.ops.misc.ConvNormActivation
        torchvision.ops.misc.FrozenBatchNorm2d torchvision.ops.misc.MLP torchvision.ops.misc.Permute
        torchvision.ops.misc.SqueezeExcitation torchvision.ops.stochastic_depth.StochasticDepth
        torchvision.transforms.CenterCrop torchvision.transforms.RandomResizedCrop torchvision.transforms.v2.CenterCrop
        torchvision.transforms.v2.RandomResizedCrop
    """,
    "modules.transformer": """
        nn.Transformer nn.TransformerDecoder nn.TransformerDecoderLayer nn.TransformerEncoder nn.TransformerEncoderLayer
    """,
    "rules.activation": """
        F.log_softmax F.softmax _log_softmax_backward_data _prelu_kernel _softmax_backward_data aten._log_softmax
        aten._safe_softmax aten._softmax aten.elu aten.log_softmax aten.softmax celu elu gelu glu gumbel_softmax
        hardshrink hardsigmoid hardswish hardtanh leaky_relu log_sigmoid log_softmax logsigmoid mish prelu relu relu6
        rrelu selu silu softmax softmin softplus softshrink softsign special.log_softmax special.softmax tanhshrink
        threshold
    """,
    "rules.adaptive_pool": """
        F.adaptive_max_pool1d F.adaptive_max_pool2d F.adaptive_max_pool3d _adaptive_avg_pool1d _adaptive_avg_pool2d
        _adaptive_avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
        adaptive_max_pool1d_with_indices adaptive_max_pool2d adaptive_max_pool2d_with_indices adaptive_max_pool3d
        adaptive_max_pool3d_with_indices
    """,
    "rules.addmm": """
        _addmm_activation _sparse_addmm addbmm addmm addmv addr baddbmm sparse.sampled_addmm sparse_sampled_addmm
        sspaddmm
    """,
    "rules.aliases": """
        alias clone contiguous detach detach_ imag lift lift_fresh positive_alias real resize resize_ resize_as
        resize_as_ to_dense to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr
        view_as_complex view_as_real
    """,
    "rules.attention": "multi_head_attention_forward scaled_dot_product_attention",
    "rules.attention_native": """
        aten._efficient_attention_forward aten._flash_attention_forward aten._scaled_dot_product_attention_math
        aten._scaled_dot_product_attention_math_for_mps aten._scaled_dot_product_cudnn_attention
        aten._scaled_dot_product_efficient_attention aten._scaled_dot_product_flash_attention
        aten._scaled_dot_product_flash_attention_for_cpu
    """,
    "rules.axes": """
        H T adjoint atleast_1d atleast_2d atleast_3d mH mT matrix_H moveaxis movedim numpy_T permute squeeze squeeze_
        swapaxes swapaxes_ swapdims swapdims_ t t_ transpose transpose_ unsqueeze unsqueeze_
    """,
    "rules.binary": """
        __eq__ __ne__ __rdiv__ add allclose arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
        bitwise_xor clamp_max clamp_min copysign div divide eq equal float_power float_power_ floor_divide fmax fmin
        fmod gcd ge greater greater_equal gt heaviside hypot igamma igammac isclose isin lcm ldexp le less less_equal
        logaddexp logaddexp2 logical_and logical_or logical_xor lt maximum minimum mul multiply ne nextafter not_equal
        operator.and_ operator.atan2 operator.copysign operator.eq operator.fmod operator.gcd operator.ge operator.gt
        operator.hypot operator.lcm operator.ldexp operator.le operator.lt operator.ne operator.nextafter operator.or_
        operator.remainder pow remainder rsub special.gammainc special.gammaincc special.xlogy sub subtract true_divide
        xlogy
    """,
    "rules.cast": """
        aten._to_copy aten.copy aten.to bfloat16 bool byte cdouble cfloat chalf char copy_ double float half int long
        short to type type_as
    """,
    "rules.complex": "complex polar",
    "rules.contraction": "chain_matmul ger inner kron linalg.multi_dot linalg.vecdot outer tensordot",
    "rules.conv": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
    "rules.conv_native": """
        _convolution _convolution_mode conv_tbc convolution convolution_backward convolution_overrideable
    """,
    "rules.covariance": "corrcoef cov",
    "rules.creation": """
        empty empty_like empty_permuted empty_strided eye full full_like new_empty new_empty_strided new_full new_ones
        new_zeros ones ones_like scalar_tensor zeros zeros_like
    """,
    "rules.cross": "cross linalg.cross",
    "rules.cumulative": "cumprod cumsum cumulative_trapezoid diff gradient logcumsumexp trapezoid trapz",
    "rules.data": """
        BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor
        ShortTensor Tensor Tensor.new as_tensor asarray cuda.BFloat16Tensor cuda.BoolTensor cuda.ByteTensor
        cuda.CharTensor cuda.DoubleTensor cuda.FloatTensor cuda.HalfTensor cuda.IntTensor cuda.LongTensor
        cuda.ShortTensor from_dlpack from_numpy frombuffer new_tensor tensor utils.dlpack.from_dlpack
    """,
    "rules.detection": """
        ops.torchvision.nms ops.torchvision.qnms ops.torchvision.roi_align torchvision.ops.boxes.nms torchvision.ops.nms
        torchvision.ops.roi_align torchvision.ops.roi_pool
    """,
    "rules.dropout": """
        alpha_dropout aten.alpha_dropout aten.dropout aten.feature_alpha_dropout aten.feature_dropout dropout dropout1d
        dropout2d dropout3d feature_alpha_dropout feature_dropout native_dropout native_dropout_backward
        torch.alpha_dropout torch.dropout torch.feature_alpha_dropout torch.feature_dropout
    """,
    "rules.dtype_queries": "can_cast promote_types result_type",
    "rules.einops": "einops.einsum einops.rearrange einops.reduce einops.repeat",
    "rules.einops_pack": "einops.pack einops.unpack",
    "rules.einsum": "einsum",
    "rules.einx": """
        einx.add einx.divide einx.equal einx.floor_divide einx.greater einx.greater_equal einx.less einx.less_equal
        einx.logaddexp einx.logical_and einx.logical_or einx.maximum einx.minimum einx.multiply einx.not_equal
        einx.subtract einx.true_divide einx.where
    """,
    "rules.embedding": """
        aten._embedding_bag aten._embedding_bag_forward_only aten.embedding aten.embedding_bag embedding embedding_bag
        one_hot torch.embedding torch.embedding_bag
    """,
    "rules.environment": """
        Tensor.col_indices Tensor.crow_indices Tensor.index Tensor.indices Tensor.resize Tensor.values
        _C._get_tracing_state _C._is_tracing _dynamo.external_utils.is_compiling _dynamo.is_compiling
        _jit_internal.is_scripting _utils.is_compiling accelerator.current_accelerator accelerator.device_count
        accelerator.is_available amp.autocast autograd.enable_grad autograd.no_grad autograd.profiler.record_function
        autograd.set_grad_enabled backends.cuda.sdp_kernel backends.cudnn.is_available backends.mps.is_available
        backends.mps.is_built compiler.cudagraph_mark_step_begin compiler.disable compiler.is_compiling
        compiler.is_dynamo_compiling compiler.is_exporting cpu.amp.autocast cuda.Event cuda.Stream cuda.amp.autocast
        cuda.current_device cuda.current_stream cuda.device cuda.device_count cuda.empty_cache cuda.get_device_name
        cuda.is_available cuda.is_bf16_supported cuda.is_current_stream_capturing cuda.manual_seed cuda.manual_seed_all
        cuda.stream cuda.synchronize distributed.all_gather distributed.all_reduce distributed.barrier
        distributed.broadcast distributed.get_rank distributed.get_world_size distributed.init_process_group
        distributed.is_available distributed.is_initialized distributed.rpc.remote distributed.rpc.rpc_async
        distributed.rpc.rpc_sync fx._symbolic_trace.is_fx_symbolic_tracing fx._symbolic_trace.is_fx_tracing jit.export
        jit.ignore jit.interface jit.is_scripting jit.is_tracing jit.script jit.trace jit.unused nn.Buffer
        nn.DataParallel nn.DistributedDataParallel nn.Module.__init__ nn.Parameter nn.attention.sdpa_kernel
        nn.init.constant nn.init.constant_ nn.init.dirac nn.init.dirac_ nn.init.eye nn.init.eye_ nn.init.kaiming_normal
        nn.init.kaiming_normal_ nn.init.kaiming_uniform nn.init.kaiming_uniform_ nn.init.normal nn.init.normal_
        nn.init.ones nn.init.ones_ nn.init.orthogonal nn.init.orthogonal_ nn.init.sparse nn.init.sparse_
        nn.init.trunc_normal nn.init.trunc_normal_ nn.init.uniform nn.init.uniform_ nn.init.xavier_normal
        nn.init.xavier_normal_ nn.init.xavier_uniform nn.init.xavier_uniform_ nn.init.zeros nn.init.zeros_
        nn.modules.utils._pair nn.modules.utils._single nn.modules.utils._triple nn.parallel.DataParallel
        nn.parallel.DistributedDataParallel nn.parameter.Buffer nn.parameter.Parameter nn.utils.skip_init
        onnx.is_in_onnx_export onnx.utils.is_in_onnx_export overrides.has_torch_function
        overrides.has_torch_function_unary overrides.has_torch_function_variadic profiler.record_function
        torch.Generator torch.Size torch._assert torch._assert_async torch._check torch._check_value
        torch._dynamo.disable torch.autocast torch.compile torch.default_generator torch.device torch.enable_grad
        torch.finfo torch.get_default_device torch.get_default_dtype torch.get_num_threads torch.iinfo
        torch.inference_mode torch.initial_seed torch.is_autocast_enabled torch.is_grad_enabled
        torch.is_inference_mode_enabled torch.is_tensor torch.is_vulkan_available torch.manual_seed torch.no_grad
        torch.save torch.set_default_device torch.set_default_dtype torch.set_float32_matmul_precision
        torch.set_grad_enabled torch.set_num_threads torch.use_deterministic_algorithms torchvision._is_tracing
        utils._pytree.tree_flatten utils._pytree.tree_leaves utils._pytree.tree_map utils._pytree.tree_unflatten
        utils.checkpoint.checkpoint utils.checkpoint.checkpoint_sequential utils.checkpoint.checkpoint_wrapper
        utils.checkpoint.set_checkpoint_early_stop xpu.is_available
    """,
    "rules.expanding": "broadcast_shapes broadcast_tensors broadcast_to expand expand_as sum_to_size",
    "rules.extrema": "argmax argmin cummax cummin kthvalue max median min mode nanmedian",
    "rules.factor": """
        cholesky cholesky_inverse geqrf linalg.cholesky linalg.cholesky_ex linalg.eig linalg.eigh linalg.eigvals
        linalg.eigvalsh linalg.ldl_factor linalg.ldl_factor_ex linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.qr
        linalg.svd linalg.svdvals lu lu_unpack pca_lowrank qr svd svd_lowrank
    """,
    "rules.fft": """
        fft.fft fft.fft2 fft.fftfreq fft.fftn fft.fftshift fft.hfft fft.hfft2 fft.hfftn fft.ifft fft.ifft2 fft.ifftn
        fft.ifftshift fft.ihfft fft.ihfft2 fft.ihfftn fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftfreq
        fft.rfftn
    """,
    "rules.fill": """
        bernoulli bernoulli_ cauchy cauchy_ exponential exponential_ fill geometric geometric_ log_normal log_normal_
        normal normal_ random_ uniform uniform_ zero
    """,
    "rules.fold": "F.unfold aten.col2im aten.im2col fold",
    "rules.fractional_pool": """
        aten.fractional_max_pool2d aten.fractional_max_pool3d fractional_max_pool2d fractional_max_pool2d_with_indices
        fractional_max_pool3d fractional_max_pool3d_with_indices
    """,
    "rules.getitem": """
        __getitem__ __setitem__ _index_put_impl _unsafe_index _unsafe_index_put _unsafe_masked_index
        _unsafe_masked_index_put_accumulate getitem index index_put setitem
    """,
    "rules.gradients": "Tensor.backward autograd.backward autograd.grad",
    "rules.grid": """
        _grid_sampler_2d_cpu_fallback affine_grid affine_grid_generator grid_sample grid_sampler grid_sampler_2d
        grid_sampler_3d
    """,
    "rules.grouped": "_grouped_mm grouped_mm nn.functional.grouped_mm torch._grouped_mm",
    "rules.helpers": """
        torch_einops_utils.masked_mean torch_einops_utils.pad_at_dim torch_einops_utils.pad_left_at_dim
        torch_einops_utils.pad_right_at_dim torchvision.transforms.functional.get_dimensions
        torchvision.transforms.functional.get_image_size torchvision.transforms.functional.resize
        torchvision.transforms.v2.functional.get_dimensions torchvision.transforms.v2.functional.get_image_size
        torchvision.transforms.v2.functional.resize
    """,
    "rules.index": """
        _segment_reduce gather index_add index_copy index_fill index_reduce index_select masked_scatter masked_select
        nonzero_static put scatter scatter_add scatter_reduce segment_reduce take take_along_dim unravel_index
    """,
    "rules.join": """
        _chunk_cat block_diag cartesian_prod cat column_stack combinations concat concatenate dstack hstack meshgrid
        row_stack stack vstack
    """,
    "rules.linalg": """
        det inverse linalg.cond linalg.det linalg.householder_product linalg.inv linalg.inv_ex linalg.matrix_exp
        linalg.matrix_power linalg.matrix_rank linalg.pinv linalg.slogdet linalg.tensorinv linalg.tensorsolve
        linalg.vander lobpcg logdet matrix_exp matrix_power orgqr ormqr pinverse slogdet trace vander
    """,
    "rules.linear": "bilinear linear mkldnn_linear",
    "rules.loss": """
        binary_cross_entropy binary_cross_entropy_with_logits gaussian_nll_loss hinge_embedding_loss huber_loss kl_div
        l1_loss mse_loss multilabel_soft_margin_loss poisson_nll_loss smooth_l1_loss soft_margin_loss
    """,
    "rules.loss_class": """
        cross_entropy cross_entropy_loss linear_cross_entropy multi_margin_loss multilabel_margin_loss nll_loss
        nll_loss2d nll_loss_nd
    """,
    "rules.loss_native": """
        aten.binary_cross_entropy aten.binary_cross_entropy_with_logits aten.cosine_embedding_loss
        aten.cross_entropy_loss aten.hinge_embedding_loss aten.kl_div aten.l1_loss aten.margin_ranking_loss
        aten.mse_loss aten.multi_margin_loss aten.multilabel_margin_loss aten.nll_loss aten.nll_loss2d aten.nll_loss_nd
        aten.poisson_nll_loss aten.smooth_l1_loss aten.soft_margin_loss aten.triplet_margin_loss
        multilabel_margin_loss_forward nll_loss2d_forward nll_loss_forward torch.binary_cross_entropy_with_logits
        torch.cosine_embedding_loss torch.hinge_embedding_loss torch.kl_div torch.margin_ranking_loss
        torch.poisson_nll_loss torch.triplet_margin_loss
    """,
    "rules.loss_pairs": """
        _pdist_forward cosine_embedding_loss cosine_similarity margin_ranking_loss pairwise_distance pdist
        triplet_margin_loss triplet_margin_with_distance_loss
    """,
    "rules.loss_sequence": "ctc_loss",
    "rules.masked": """
        masked.amax masked.amin masked.argmax masked.argmin masked.cumprod masked.cumsum masked.log_softmax
        masked.logaddexp masked.logsumexp masked.mean masked.median masked.norm masked.normalize masked.prod
        masked.softmax masked.softmin masked.std masked.sum masked.var
    """,
    "rules.matmul": """
        __matmul__ _int_mm _scaled_mm _scaled_mm_v2 _sparse_mm bmm dot hspmm linalg.matmul matmul mm mv smm sparse.mm
        vdot
    """,
    "rules.metadata": """
        __array__ __hash__ __len__ _version cpu cuda data data_ptr device dim dtype element element_size get_device grad
        grad_fn is_complex is_conj is_contiguous is_cpu is_cuda is_floating_point is_inference is_leaf is_meta is_mkldnn
        is_mps is_neg is_nested is_nonzero is_pinned is_quantized is_same_size is_set_to is_shared is_signed is_sparse
        is_sparse_csr is_tensor itemsize layout names nbytes ndim ndimension nelement numel numpy pin_memory
        record_stream register_hook requires_grad requires_grad_ retain_grad shape share_memory_ size storage_offset
        stride untyped_storage
    """,
    "rules.norm": "batch_norm group_norm instance_norm layer_norm rms_norm",
    "rules.norm_native": """
        _batch_norm_no_update _batch_norm_with_update _fused_rms_norm _native_batch_norm_legit
        _native_batch_norm_legit_no_training aten.batch_norm aten.instance_norm native_batch_norm native_group_norm
        native_layer_norm torch.batch_norm torch.instance_norm
    """,
    "rules.normalize": """
        _weight_norm _weight_norm_interface local_response_norm nn.utils.parametrizations.orthogonal
        nn.utils.parametrizations.spectral_norm nn.utils.parametrizations.weight_norm nn.utils.remove_spectral_norm
        nn.utils.remove_weight_norm nn.utils.spectral_norm nn.utils.weight_norm norm_except_dim normalize renorm
    """,
    "rules.norms": "cdist dist linalg.matrix_norm linalg.norm linalg.vector_norm norm",
    "rules.overwrite": "apply_ as_subclass fill_diagonal_ map2_ map_ resize_as_sparse_ set_",
    "rules.pad": """
        _pad_circular constant_pad_nd pad reflection_pad1d reflection_pad1d_backward reflection_pad2d
        reflection_pad2d_backward reflection_pad3d reflection_pad3d_backward replication_pad1d
        replication_pad1d_backward replication_pad2d replication_pad2d_backward replication_pad3d
        replication_pad3d_backward
    """,
    "rules.pointwise": """
        Tensor.polygamma _conj _conj_physical _neg_view abs abs_ absolute acos acosh angle arccos arccosh arcsin arcsinh
        arctan arctanh asin asinh atan atanh bitwise_not ceil conj conj_physical cos cosh deg2rad digamma erf erfc
        erfinv exp exp2 expm1 fix floor frac frexp i0 isfinite isinf isnan isneginf isposinf isreal lgamma log log10
        log1p log2 logical_not logit mvlgamma nan_to_num neg negative operator.inv polygamma polygamma_ pos positive
        rad2deg reciprocal resolve_conj resolve_neg round rsqrt sgn sigmoid sign signbit sin sinc sinh special.digamma
        special.erf special.erfc special.erfinv special.exp2 special.expit special.expm1 special.gammaln special.i0
        special.log1p special.logit special.multigammaln special.polygamma special.psi special.round special.sinc sqrt
        square tan tanh trunc
    """,
    "rules.pool": """
        avg_pool1d avg_pool2d avg_pool3d lp_pool1d lp_pool2d lp_pool3d max_pool1d max_pool1d_with_indices max_pool2d
        max_pool2d_with_indices max_pool3d max_pool3d_with_indices
    """,
    "rules.pool_native": """
        _adaptive_avg_pool1d_backward _adaptive_avg_pool2d_backward _adaptive_avg_pool3d_backward
        adaptive_avg_pool1d_backward adaptive_avg_pool2d_backward adaptive_avg_pool3d_backward
        adaptive_max_pool1d_backward adaptive_max_pool2d_backward adaptive_max_pool3d_backward
        aten.max_pool1d_with_indices_backward aten.max_pool2d_with_indices_backward
        aten.max_pool3d_with_indices_backward avg_pool1d_backward avg_pool2d_backward avg_pool3d_backward
        fractional_max_pool2d_backward fractional_max_pool3d_backward max_pool2d_with_indices_backward
    """,
    "rules.quantised": """
        dequantize fake_quantize_per_channel_affine fake_quantize_per_tensor_affine int_repr quantize_per_channel
        quantize_per_tensor quantize_per_tensor_dynamic
    """,
    "rules.random": """
        _sample_dirichlet _standard_gamma binomial multinomial poisson rand rand_like randint randint_like randn
        randn_like randperm
    """,
    "rules.ranges": "arange aten.range linspace logspace torch.range",
    "rules.reduce": """
        all alltrue amax amin aminmax any count_nonzero logsumexp mean nanmean nansum operator.prod prod sometrue
        special.logsumexp sum
    """,
    "rules.repeat": "flip fliplr flipud repeat repeat_interleave roll rot90 tile",
    "rules.resample": """
        _upsample_bicubic2d_aa _upsample_bicubic2d_aa_backward _upsample_bilinear2d_aa _upsample_bilinear2d_aa_backward
        _upsample_lanczos2d_aa _upsample_lanczos2d_aa_backward _upsample_nearest_exact1d
        _upsample_nearest_exact1d_backward _upsample_nearest_exact2d _upsample_nearest_exact2d_backward
        _upsample_nearest_exact3d _upsample_nearest_exact3d_backward interpolate upsample upsample_bicubic2d
        upsample_bicubic2d_backward upsample_bilinear upsample_bilinear2d upsample_bilinear2d_backward upsample_linear1d
        upsample_linear1d_backward upsample_nearest upsample_nearest1d upsample_nearest1d_backward upsample_nearest2d
        upsample_nearest2d_backward upsample_nearest3d upsample_nearest3d_backward upsample_trilinear3d
        upsample_trilinear3d_backward
    """,
    "rules.rnn": "gru gru_cell lstm lstm_cell rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell",
    "rules.rnn_pack": """
        nn.utils.rnn.pack_padded_sequence nn.utils.rnn.pack_sequence nn.utils.rnn.pad_packed_sequence
        nn.utils.rnn.pad_sequence nn.utils.rnn.unpack_sequence nn.utils.rnn.unpad_sequence pad_sequence
    """,
    "rules.scalar": "__bool__ __complex__ __float__ __index__ __int__ item tolist",
    "rules.shuffle": "channel_shuffle native_channel_shuffle pixel_shuffle pixel_unshuffle",
    "rules.signal": """
        bartlett_window blackman_window hamming_window hann_window kaiser_window signal.windows.bartlett
        signal.windows.blackman signal.windows.cosine signal.windows.exponential signal.windows.gaussian
        signal.windows.general_cosine signal.windows.general_hamming signal.windows.hamming signal.windows.hann
        signal.windows.kaiser signal.windows.nuttall
    """,
    "rules.slicing": """
        Tensor.unfold as_strided as_strided_ as_strided_scatter diagonal diagonal_scatter linalg.diagonal narrow select
        select_scatter slice slice_scatter unfold
    """,
    "rules.solve": """
        cholesky_solve linalg.ldl_solve linalg.lstsq linalg.lu_solve linalg.solve linalg.solve_ex
        linalg.solve_triangular lu_solve triangular_solve
    """,
    "rules.sort": """
        argsort argwhere bincount bucketize histc histogram histogramdd msort nonzero searchsorted sort topk unique
        unique_consecutive
    """,
    "rules.sparse": """
        sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor
        sparse_csr_tensor
    """,
    "rules.special": """
        special.airy_ai special.bessel_j0 special.bessel_j1 special.bessel_y0 special.bessel_y1
        special.chebyshev_polynomial_t special.chebyshev_polynomial_u special.chebyshev_polynomial_v
        special.chebyshev_polynomial_w special.entr special.erfcx special.hermite_polynomial_h
        special.hermite_polynomial_he special.i0e special.i1 special.i1e special.laguerre_polynomial_l
        special.legendre_polynomial_p special.log_ndtr special.modified_bessel_i0 special.modified_bessel_i1
        special.modified_bessel_k0 special.modified_bessel_k1 special.ndtr special.ndtri
        special.scaled_modified_bessel_k0 special.scaled_modified_bessel_k1 special.shifted_chebyshev_polynomial_t
        special.shifted_chebyshev_polynomial_u special.shifted_chebyshev_polynomial_v
        special.shifted_chebyshev_polynomial_w special.spherical_bessel_j0 special.xlog1py special.zeta
    """,
    "rules.split": """
        Tensor.split chunk dsplit hsplit split split_copy split_with_sizes tensor_split unbind unsafe_chunk unsafe_split
        unsafe_split_with_sizes vsplit
    """,
    "rules.statistics": "hash_tensor nanquantile quantile std std_mean var var_mean",
    "rules.stft": "istft stft",
    "rules.symbolic_ints": "sym_int sym_max sym_min sym_not sym_sum",
    "rules.ternary": "Tensor.where addcdiv addcmul clamp clip lerp masked_fill where",
    "rules.triangle": "diag diag_embed diagflat tril tril_indices triu triu_indices",
    "rules.unpool": "aten.max_unpool2d aten.max_unpool3d max_unpool1d max_unpool2d max_unpool3d",
    "rules.views": """
        _reshape_alias _reshape_copy _unsafe_view flatten flatten.using_ints ravel reshape reshape_as unflatten view
        view_as view_copy
    """,
}

NAMES_WITH_TRAITS = {
    "AUTOCAST": """
        _addmm_activation _prelu_kernel _sparse_addmm addbmm addmm addmv addr baddbmm bilinear chain_matmul conv1d
        conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d linalg.multi_dot mv nn.GRUCell nn.LSTMCell
        nn.RNNCell nn.Transformer nn.TransformerDecoder nn.TransformerDecoderLayer nn.TransformerEncoder
        nn.TransformerEncoderLayer prelu scaled_dot_product_attention sspaddmm
    """,
    "AUTOCAST BATCH_FIRST": "linear mkldnn_linear nn.GRU nn.LSTM nn.RNN",
    "AUTOCAST HAS_WEIGHTS": "nn.Bilinear nn.ConvTranspose1d nn.ConvTranspose2d nn.ConvTranspose3d",
    "AUTOCAST HAS_WEIGHTS BATCH_FIRST": "nn.Conv1d nn.Conv2d nn.Conv3d nn.Linear nn.MultiheadAttention",
    "AUTOCAST ONE_DEVICE": "einsum",
    "AUTOCAST ONE_DEVICE BATCH_FIRST": "_sparse_mm hspmm mm smm",
    "AUTOCAST ONE_DEVICE BATCH_FIRST TENSOR_FIRST": "__matmul__ bmm linalg.matmul matmul",
    "BATCH_FIRST": """
        __getitem__ binary_cross_entropy binary_cross_entropy_with_logits cross_entropy cross_entropy_loss getitem
        nll_loss nll_loss2d nll_loss_nd nn.BCELoss nn.BCEWithLogitsLoss nn.CrossEntropyLoss nn.NLLLoss nn.NLLLoss2d
    """,
    "BATCH_FIRST BROADCASTING_LOSS": """
        huber_loss kl_div l1_loss mse_loss nn.HuberLoss nn.KLDivLoss nn.L1Loss nn.MSELoss nn.SmoothL1Loss smooth_l1_loss
    """,
    "BROADCASTING_LOSS": """
        gaussian_nll_loss hinge_embedding_loss nn.GaussianNLLLoss nn.HingeEmbeddingLoss nn.PoissonNLLLoss
        poisson_nll_loss
    """,
    "FOR_BROADCASTING": "ger outer tril triu",
    "FOR_BROADCASTING SEVERAL_RESULTS": "meshgrid",
    "FOR_BROADCASTING TAKES_SIZES": "broadcast_to",
    "HAS_WEIGHTS": "nn.Embedding nn.EmbeddingBag nn.RMSNorm",
    "HAS_WEIGHTS BATCH_FIRST": "nn.BatchNorm1d nn.BatchNorm2d nn.BatchNorm3d nn.GroupNorm nn.LayerNorm",
    "KEEPS_AXES": "double float gelu half neg negative silu softplus",
    "KEEPS_AXES KEEPS_MAXIMUM": "contiguous",
    "KEEPS_AXES TENSOR_FIRST": "abs absolute exp log relu sigmoid special.expit tanh",
    "KEEPS_AXES TENSOR_FIRST PAIRS": "clamp clip",
    "KEEPS_MAXIMUM": "aten._to_copy aten.to clone cuda int long to",
    "KEEPS_MAXIMUM FOR_BROADCASTING": "expand_as",
    "KEEPS_MAXIMUM FOR_BROADCASTING TAKES_SIZES": "expand",
    "KEEPS_MAXIMUM FOR_BROADCASTING TENSOR_FIRST RESHAPES_IN_PLACE": "unsqueeze unsqueeze_",
    "KEEPS_MAXIMUM RESHAPES": "repeat",
    "KEEPS_MAXIMUM RESHAPES TAKES_SIZES": "_unsafe_view view",
    "KEEPS_MAXIMUM RESHAPES TAKES_SIZES TENSOR_FIRST": "_reshape_alias _reshape_copy reshape view_copy",
    "MOVES_AXES": "H T adjoint mH mT matrix_H numpy_T",
    "NEW_ON_DEFAULT_DEVICE": """
        arange bartlett_window blackman_window full hamming_window hann_window kaiser_window linspace logspace randint
        randperm tensor tril_indices triu_indices
    """,
    "NEW_ON_DEFAULT_DEVICE FOR_BROADCASTING": "eye",
    "NEW_ON_DEFAULT_DEVICE TAKES_SIZES": "empty ones rand randn zeros",
    "NUMBER_OPERANDS ONE_DEVICE PAIRS": """
        __eq__ __ne__ eq floor_divide ge greater greater_equal gt le less less_equal lt ne not_equal operator.eq
        operator.ge operator.gt operator.le operator.lt operator.ne operator.remainder remainder
    """,
    "NUMBER_OPERANDS ONE_DEVICE TENSOR_FIRST PAIRS": "pow",
    "NUMBER_OPERANDS PROMOTES_DTYPES ONE_DEVICE PAIRS": "mul multiply",
    "NUMBER_OPERANDS PROMOTES_DTYPES ONE_DEVICE SUM": "add div divide sub subtract",
    "NUMBER_OPERANDS PROMOTES_DTYPES SUM": "true_divide",
    "ONE_DEVICE BATCH_FIRST JOINS": "cat concat concatenate stack",
    "ONE_DEVICE PAIRS": "bitwise_and bitwise_or bitwise_xor masked_fill operator.and_ operator.or_",
    "PAIRS": """
        Tensor.where addcdiv addcmul allclose arctan2 atan2 bitwise_left_shift bitwise_right_shift clamp_max clamp_min
        copysign dist float_power fmax fmin fmod gcd heaviside hypot igamma igammac isclose lcm ldexp lerp logaddexp
        logaddexp2 logical_and logical_or logical_xor nextafter operator.atan2 operator.copysign operator.fmod
        operator.gcd operator.hypot operator.lcm operator.ldexp operator.nextafter pairwise_distance rsub
        special.gammainc special.gammaincc special.xlogy xlogy
    """,
    "PROMOTES_DTYPES ONE_DEVICE PAIRS": "maximum minimum",
    "PROMOTES_DTYPES ONE_DEVICE SPLITS PAIRS": "where",
    "REDUCES": "amax amin linalg.vector_norm logsumexp special.logsumexp std var",
    "RESHAPES": "einops.rearrange reshape_as view_as",
    "RESHAPES TAKES_SIZES": "unflatten",
    "RESHAPES_IN_PLACE": "as_strided as_strided_ resize resize_ resize_as resize_as_ resize_as_sparse_ set_",
    "RESHAPES_IN_PLACE MOVES_AXES": "t t_",
    "SEVERAL_RESULTS": "autograd.grad broadcast_tensors dsplit hsplit sort vsplit",
    "SHAPE_OF_INDEX": "gather take_along_dim",
    "SPLITS": "nonzero",
    "SPLITS SEVERAL_RESULTS": "tensor_split unbind",
    "TAKES_SIZES": "new_empty new_ones new_zeros",
    "TENSOR_FIRST": """
        F.log_softmax F.softmax argmax empty_like flatten flatten.using_ints flip full_like log_softmax ones_like
        rand_like randn_like repeat_interleave roll softmax special.log_softmax special.softmax sqrt tile
        torch_einops_utils.masked_mean torch_einops_utils.pad_at_dim torch_einops_utils.pad_left_at_dim
        torch_einops_utils.pad_right_at_dim zeros_like
    """,
    "TENSOR_FIRST MOVES_AXES": "moveaxis movedim permute",
    "TENSOR_FIRST PAIRS": "max min",
    "TENSOR_FIRST REDUCES": "mean norm sum",
    "TENSOR_FIRST RESHAPES_IN_PLACE": "squeeze squeeze_",
    "TENSOR_FIRST RESHAPES_IN_PLACE MOVES_AXES": "swapaxes swapaxes_ swapdims swapdims_ transpose transpose_",
    "TENSOR_FIRST SEVERAL_RESULTS": "topk",
    "TENSOR_FIRST SPLITS SEVERAL_RESULTS": "chunk split unsafe_chunk unsafe_split",
}
