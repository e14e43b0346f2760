import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { opaque } from '../../../../../agent/slowlogs/opaque-ids.js';
import { withoutIds as scrubIds } from '../../../../../agent/slowlogs/scrub/searched-ids.js';

const withoutIds = (text: string, key: string): string => scrubIds(text, key).text;

const sought = 'bob@example.org';
const hidden = opaque(sought, 'key');

const scripted = (source: string, params = {}): object => ({
  query: { script: { script: { source, params } } },
});

/** The same search unchanged, and within JSON strings. */
function* everywhere(search: object): Iterable<string> {
  const text = JSON.stringify(search);
  yield text;
  yield JSON.stringify({ q: text });
  yield JSON.stringify([{ q: JSON.stringify({ q: text }) }]);
}

describe('the id of a document that a search looks for', () => {
  it('is replaced if a script compares it with the field of ids, on either side of the comparison', () => {
    for (const search of [
      scripted(`doc._id.value == '${sought}'`),
      scripted(`doc['_id'].value == '${sought}'`),
      scripted(`'${sought}' == doc['_id'].value`),
      scripted(`'${sought}'.equals(doc._id.value)`),
      scripted(`['${sought}'].contains(doc['_id'].value)`),
      scripted('doc._id.value == params.sought', { sought }),
      scripted('params.sought.contains(doc._id.value)', { sought: [sought] }),
    ])
      for (const text of everywhere(search)) {
        const left = withoutIds(text, 'key');
        assert.ok(!left.includes('bob') && left.includes(hidden), left);
        assert.equal(scrubText(left).text, left);
        assert.doesNotThrow(() => JSON.parse(left) as unknown);
      }
  });

  it('is replaced if it is the id of a parent, in the field of a join relation', () => {
    for (const search of [
      { query: { term: { 'my_join#question': { value: sought } } } },
      { query: { terms: { 'my_join#question': [sought] } } },
      { query: { query_string: { query: `a:b AND my_join#question:"${sought}"` } } },
      scripted(`doc['my_join#question'].value == '${sought}'`),
      scripted("doc['my_join#question'].value == params.sought", { sought }),
    ])
      for (const text of everywhere(search)) {
        const left = withoutIds(text, 'key');
        assert.ok(!left.includes('bob') && left.includes(hidden), left);
      }
    for (const text of ['{"term":{"#":"bob"}}', '{"term":{"tag#":"bob"}}', '{"q":"C# is:bob, see #1:bob"}'])
      assert.equal(withoutIds(text, 'key'), text);
  });

  it('is replaced if it is a key of a map that a script reads', () => {
    const search = scripted('params.all.boosts.get(doc._id.value) * params.all.factor', {
      all: { boosts: { [sought]: { x: 'a' }, [`{${sought}`]: ['a'] }, factor: 'b' },
    });
    for (const text of everywhere(search)) {
      const left = withoutIds(text, 'key');
      assert.ok(!left.includes('bob') && left.includes(hidden), left);
      assert.match(left, /all\\*":\{\\*"boosts\\*":\{.*factor\\*":/);
      assert.doesNotThrow(() => JSON.parse(left) as unknown);
    }
    const other = scripted("params.all.boosts.get(doc['user'].value)", { all: { boosts: { bob: 2 } } });
    assert.equal(
      withoutIds(JSON.stringify({ other, _id: 'x' }), 'key').replace(opaque('x', 'key'), 'x'),
      JSON.stringify({ other, _id: 'x' }),
    );
  });

  it('is replaced individually in a group or a list, and only if it is not opaque', () => {
    const generated = ['7d444840-9dc0-41d1-b245-5ffdce74fad2', 's01HZ2QBk9jw4gtgaFtn'];
    const [first = '', second = ''] = generated;
    for (const query of [
      `_id:(${first} OR ${second})`,
      `_id:("${first}" "${sought}")`,
      `a:(b OR c) AND _id:(+${first} -${sought}^2 OR (${sought}~1 && "${second}"~2))^3.5 AND d:e`,
      `_id:[${sought} TO ${sought}}`,
      `SELECT a FROM b WHERE _id IN ('${first}', '${sought}') AND c = 'd'`,
      `FROM a METADATA _id | WHERE _id IN ("${sought}", "${second}") OR _id == "${sought}" | KEEP _id`,
      `['${first}', params.a, '${sought}'].contains(doc['_id'].value)`,
      `doc['_id'].value == params.a || doc['_id'].value == params.b.c`,
    ])
      for (const text of everywhere({ q: query }))
        assert.equal(withoutIds(text, 'key'), text.replaceAll(sought, hidden));
  });

  it('has the digest of the id itself, however it is escaped', () => {
    const quoted = (id: string): string => id.replace(/[\\"]/g, '\\$&');
    const bare = (id: string): string => id.replace(/[^\w.@]/g, '\\$&');
    const plain = ['https://x.y/a%20b', 'C:\\dir\\log', 'a%2Fb', 'tenant:42', 'a b', 'a+b', '-x'];
    for (const id of [...plain, 'C:\\dir\\file', '\\\\nas\\new'])
      for (const search of [
        { term: { _id: id } },
        { term: { _id: { value: id } } },
        { parent_id: { id } },
        { q: `_id:"${quoted(id)}"` },
        { q: `WHERE _id == "${quoted(id)}"` },
        { q: `WHERE _id == """${id}"""` },
        { q: `doc._id.value == '${id.replaceAll('\\', '\\\\')}'` },
      ])
        for (const text of everywhere(search))
          assert.ok(withoutIds(text, 'key').includes(opaque(id, 'key')), text);
    for (const id of plain)
      for (const query of [`_id:${bare(id)} AND a:b`, `_id:(${bare(id)} OR ${bare(id)}) a`])
        for (const text of everywhere({ q: query }))
          assert.ok(withoutIds(text, 'key').includes(query.replaceAll(bare(id), opaque(id, 'key'))), text);
  });

  it('is replaced together with the quotation marks inside it', () => {
    for (const text of everywhere({ q: "a WHERE _id = 'o''neil' AND b = 'c'" }))
      assert.ok(withoutIds(text, 'key').includes(`_id = '${opaque("o'neil", 'key')}' AND b = 'c'`), text);
  });

  it('is not seen in what precedes a text that starts with a comparison', () => {
    for (const search of [
      { term: { title: '== _id' } },
      { terms: { title: ['==routing', ' IN (my_join#q'] } },
      { script: { source: '] == doc._id.value' }, a: ['].contains(_id'] },
    ])
      for (const text of everywhere(search)) assert.equal(withoutIds(text, 'key'), text);
  });
});
