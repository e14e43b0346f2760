import type { Route } from '../../runtime/http/route.js';
import { htmlMediaType, page, pageHeaders } from './html.js';
import { referencePage } from './reference.js';
import { servedDocument } from './served-document.js';

/** The document, the reference, and where the dashboard will be. Rendered once, at the start. */
export function pageRoutes({ textLimit }: { textLimit: number }): readonly Route[] {
  const document = servedDocument(textLimit);
  const text = JSON.stringify(document);
  const reference = referencePage(document);
  const home = page(
    'Telltale',
    '<h1>Telltale</h1><p>This edge is up. Its API: <a href="/reference">the reference</a>, <a href="/openapi.json">the OpenAPI document</a>.</p>',
  );
  return [
    { method: 'GET', pattern: '/openapi.json', handle: (exchange) => exchange.json(200, text) },
    {
      method: 'GET',
      pattern: '/reference',
      handle: (exchange) => exchange.answer(200, htmlMediaType, reference, pageHeaders),
    },
    {
      method: 'GET',
      pattern: '/ui/',
      handle: (exchange) => exchange.answer(200, htmlMediaType, home, pageHeaders),
    },
  ];
}
