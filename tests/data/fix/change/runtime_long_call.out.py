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

    def __call__(
        self,
        decoder_hidden_states: Tensor,
        encoder_hidden_states: Tensor,
        encoder_attention_mask: Tensor,
    ) -> Tensor:  # shapecheck: from forward
        result: Tensor = super().__call__(
            decoder_hidden_states, encoder_hidden_states, encoder_attention_mask
        )
        return result
