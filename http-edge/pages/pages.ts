import type { Route } from '../../runtime/http/route.js';
import { htmlMediaType, pageHeaders } from './html.js';
import { referencePage } from './reference.js';
import { servedDocument } from './served-document.js';

/** The document and the reference. Rendered once, at the start. */
export function pageRoutes({ textLimit }: { textLimit: number }): readonly Route[] {
  const document = servedDocument(textLimit);
  const text = JSON.stringify(document);
  const reference = referencePage(document);
  return [
    { method: 'GET', pattern: '/openapi.json', handle: (exchange) => exchange.json(200, text) },
    {
      method: 'GET',
      pattern: '/reference',
      handle: (exchange) => exchange.answer(200, htmlMediaType, reference, pageHeaders),
    },
  ];
}
