import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseIdentity } from '../../../../agent/collectors/identity.js';
import { defaultCollectorSettings } from '../../../../agent/collectors/settings.js';
import { parseSnapshot } from '../../../../schemas/snapshots.js';
import {
  capturedCluster,
  collectAll,
  haveCaptures,
  itemsCollected,
  readCapture,
  type CollectedSections,
} from '../../../support/cluster-captures.js';

const long = 'x'.repeat(5_000);
const lies: readonly unknown[] = [
  ...[null, '', long, '\ud800', '-5', '1e400', 'NaN', '7%', '99999999999999999999', '2026-13-45T99:99:99Z'],
  ...[-1, 0, 1.5, 2 ** 31, 8e15, 1e300, 2 ** 53, true, [], {}, [null], [[[]]]],
];
const falseNames: readonly string[] = ['', long, 'a\u0000b', '__proto__', 'constructor'];

/** Replaces a share of all values and names by wrong ones, at every depth. */
function lyingIn(share: number, next: (below: number) => number): (body: unknown) => unknown {
  const isLie = (rare = 1): boolean => next(1_000_000) < (share * 1_000_000) / rare;
  const told = (value: unknown): unknown => {
    if (isLie()) return lies[next(lies.length)];
    if (Array.isArray(value)) return value.map(told);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        isLie(3) ? (falseNames[next(falseNames.length)] ?? name) : name,
        told(inner),
      ]),
    );
  };
  return told;
}

function assertTaken(outcomes: CollectedSections): void {
  for (const item of itemsCollected(outcomes, ({ most }) => most(defaultCollectorSettings))) {
    const parsed = parseSnapshot(JSON.parse(JSON.stringify(item)));
    assert.ok(parsed.ok, parsed.ok ? '' : `${item.section}: ${parsed.reason}`);
  }
}

describe('a cluster that answers with anything', function () {
  before(function () {
    if (!haveCaptures()) this.skip();
  });

  for (const version of ['7.17.15', '8.14.1', '9.4.3-3node-one-killed']) {
    it(`is read into items that the edge takes (${version})`, async () => {
      const capture = readCapture(version);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(0.003, 0.01, 0.05, 0.2), fc.gen(), async (share, g) => {
          const next = (below: number): number => g(fc.nat, { max: below - 1 });
          const outcomes = await collectAll(capturedCluster(capture, lyingIn(share, next))).catch(
            () => undefined,
          );
          if (outcomes !== undefined) assertTaken(outcomes); // otherwise it did not identify itself
        }),
        { numRuns: 150, endOnFailure: true },
      );
    });
  }

  it('has a name no longer than a snapshot takes', () => {
    const body = {
      cluster_name: long,
      cluster_uuid: 'u',
      tagline: 'You Know, for Search',
      version: { number: '8.14.1' },
    };
    assert.equal(parseIdentity({ status: 200, body, bytes: 2 }).name?.length, 1_024);
  });
});
