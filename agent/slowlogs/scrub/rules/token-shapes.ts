import type { FoundSpan } from '../span.js';
import type { Rule } from '../view.js';
import { hashShapeForms } from './hash-shape-forms.js';
import { matchesAt } from './matches.js';
import { SignPlaces } from './sign-places.js';
import { tokenShapeForms } from './token-shape-forms.js';

const shapes = [...tokenShapeForms, ...hashShapeForms];
const signPlaces = new SignPlaces(shapes.map(({ signs }) => signs));

export const tokenShapes: Rule = {
  name: 'token-shapes',
  find(view) {
    let spans: FoundSpan[] = [];
    signPlaces.in(view.units).forEach((places, index) => {
      const shape = places.length > 0 ? shapes[index] : undefined;
      if (shape !== undefined && view.plain.includes(shape.needs ?? ''))
        spans = spans.concat(matchesAt(view, shape.form, places));
    });
    return spans;
  },
};
