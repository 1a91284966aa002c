"""An OpenVINO graph whose matrices of weights are 8-bit integers, for processors that multiply those natively.

Symmetric, one scale for each output of a matrix. What is multiplied with them is quantised while it is computed, each
token in groups of its own (`GROUP_SIZE`), so that no text gets another one's scale; sums and all that lies
between matrices stay float32. One scale for a whole batch of activations, the usual dynamic quantisation, spoils
rankings.
"""

from typing import Any

import numpy as np

from corpus.embedding.openvino_import import import_openvino

GROUP_SIZE = 64
"""Inputs of one scale. Larger ones are hardly faster and further from float32."""
_LARGEST = 127


def quantise_weights(model: Any) -> None:
    """Replace, in place, each product with a constant float32 matrix (inputs x outputs) by one with 8-bit weights.

    Biases, embeddings and the products of attention are left as they are.
    """
    operations = import_openvino().opset13
    for product in model.get_ordered_ops():
        if product.get_type_name() != "MatMul":
            continue
        constant = product.input_value(1).get_node()
        attributes = product.get_attributes()
        is_plain = not (attributes["transpose_a"] or attributes["transpose_b"])
        if constant.get_type_name() != "Constant" or not is_plain or len(constant.shape) != 2:
            continue
        rows = np.ascontiguousarray(constant.data.T)
        scales = np.abs(rows).max(axis=1, keepdims=True) / _LARGEST
        # A row of zeros has no scale; any will do.
        scales[scales == 0] = 1
        codes = np.rint(rows / scales).astype(np.int8)
        weights = operations.multiply(
            operations.convert(operations.constant(codes), np.float32),
            operations.constant(scales.astype(np.float32)),
        )
        replacement = operations.matmul(product.input_value(0), weights, False, True)
        replacement.set_friendly_name(product.get_friendly_name())
        product.output(0).replace(replacement.output(0))
    model.validate_nodes_and_infer_types()
