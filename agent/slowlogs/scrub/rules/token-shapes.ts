import type { FoundSpan } from '../span.js';
import type { Rule, View } from '../view.js';
import { matchesAt } from './matches.js';
import { SignPlaces } from './sign-places.js';
import { tokenShapeForms } from './token-shape-forms.js';

const signPlaces = new SignPlaces(tokenShapeForms.flatMap(({ signs }) => signs));

export const tokenShapes: Rule = {
  name: 'token-shapes',
  find(view) {
    const places = signPlaces.in(view.units);
    let first = 0;
    let spans: FoundSpan[] = [];
    for (const { form, signs, needs = '' } of tokenShapeForms) {
      const ofForm = places.slice(first, first + signs.length).filter((found) => found.length > 0);
      first += signs.length;
      if (ofForm.length > 0 && view.plain.includes(needs))
        spans = spans.concat(matchesOfForm(view, form, ofForm));
    }
    return spans;
  },
};

function matchesOfForm(view: View, form: RegExp, places: readonly (readonly number[])[]): FoundSpan[] {
  const [only = [], ...others] = places;
  const inOrder = others.length === 0 ? only : places.flat().sort((one, other) => one - other);
  return matchesAt(view, form, inOrder);
}
