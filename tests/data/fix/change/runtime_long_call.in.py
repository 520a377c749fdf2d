# options: --style runtime
from torch import Tensor, nn


class Decoder(nn.Module):
    def forward(
        self,
        decoder_hidden_states: Tensor,
        encoder_hidden_states: Tensor,
        encoder_attention_mask: Tensor,
    ) -> Tensor:
        return decoder_hidden_states
