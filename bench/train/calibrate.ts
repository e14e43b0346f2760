/** A logit becomes a calibrated one by `slope × logit + offset`. */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/** Platt's scaling: the logistic curve that fits held-out logits best, by Newton's method. */
export function calibrate(
  examples: readonly { readonly logit: number; readonly label: boolean; readonly weight: number }[],
): Calibration {
  let slope = 1;
  let offset = 0;
  for (let step = 0; step < 50; step++) {
    const g = { slope: 0, offset: 0 };
    const h = { slope: 1e-9, both: 0, offset: 1e-9 };
    for (const { logit, label, weight } of examples) {
      const probability = 1 / (1 + Math.exp(-(slope * logit + offset)));
      const error = weight * (probability - (label ? 1 : 0));
      const curve = weight * probability * (1 - probability);
      g.slope += error * logit;
      g.offset += error;
      h.slope += curve * logit * logit;
      h.both += curve * logit;
      h.offset += curve;
    }
    const determinant = h.slope * h.offset - h.both * h.both;
    const change = {
      slope: (h.offset * g.slope - h.both * g.offset) / determinant,
      offset: (h.slope * g.offset - h.both * g.slope) / determinant,
    };
    slope -= change.slope;
    offset -= change.offset;
    if (Math.abs(change.slope) + Math.abs(change.offset) < 1e-9) break;
  }
  return { slope, offset };
}
