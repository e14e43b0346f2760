import { nowhere, type Held, type Leaves, type Members, type Namings, type Spans } from './field-tables.js';
import type { Frames } from './json-frames.js';
import { channels, holdsIn, namesIn } from './search-words.js';

/** Leaves under a `sort` that are looked at. */
const sortedAtMost = 32;
/**
 * A leaf is a name for so many of the members that hold it, the innermost: they may hold each other, thousands deep.
 * Those that are none any more are passed over so many times.
 */
const namedAtMost = 2;
const passedAtMost = 16;
/** An object is a script for so many of the members that hold it, the innermost. */
const scriptsAtMost = 2;

/** What is listed while the objects of a text are read. */
interface Listed {
  readonly keys: Spans;
  readonly leaves: Leaves;
  readonly names: Spans;
  readonly held: Members;
  readonly namings: Namings;
}

/** Which values of an object stand under the names that its other members give. */
export class Relations {
  constructor(
    private readonly source: string,
    private readonly fields: Listed,
    private readonly frames: Frames,
    /** Of the open frames. */
    private readonly members: Members,
  ) {}

  /** Puts members that name fields and those that hold values together. Names of fields stand in their table already. */
  relate(frame: number, firstMember: number, fieldsStart: number, fieldsEnd: number): void {
    let holds = 0;
    for (let at = firstMember; at < this.members.length; at += 1) holds |= holdsIn(this.members.wordOf(at));
    if (holds === 0) return;
    const relate = (channel: number, from: number, to: number): void => {
      if (from === to) return;
      const heldStart = this.fields.held.length;
      for (let at = firstMember; at < this.members.length; at += 1)
        if ((holdsIn(this.members.wordOf(at)) & channel) !== 0) this.fields.held.add(this.members.at(at), 0);
      const held = { start: heldStart, end: this.fields.held.length };
      this.fields.namings.add({ start: from, end: to }, held, channel === channels.script);
    };
    const { names } = this.fields;
    const relateAdded = (channel: number, add: () => void): void => {
      const from = names.length;
      if ((holds & channel) !== 0) add();
      relate(channel, from, names.length);
    };
    if ((holds & channels.field) !== 0) relate(channels.field, fieldsStart, fieldsEnd);
    relateAdded(channels.below, () => {
      this.frames.eachBelow(frame, (from, to) => {
        for (let at = from; at < to; at += 1) names.add(names.startOf(at), names.endOf(at));
      });
    });
    relateAdded(channels.sort, () => {
      this.#eachNaming(firstMember, channels.sort, (member) => {
        this.#listSorted(member);
      });
    });
    relateAdded(channels.script, () => {
      this.#eachNaming(firstMember, channels.script, ({ start, end, scripts }) => {
        if (scripts >= scriptsAtMost) return;
        names.add(start, end);
        this.frames.holdScripts(frame, scripts + 1);
      });
    });
  }

  #eachNaming(firstMember: number, channel: number, give: (member: Held) => void): void {
    for (let at = firstMember; at < this.members.length; at += 1)
      if ((namesIn(this.members.wordOf(at)) & channel) !== 0) give(this.members.at(at));
  }

  /** The names of fields that members list: a string, or those of a list. */
  listFields(firstMember: number): void {
    const { leaves, names } = this.fields;
    const { members } = this;
    for (let member = firstMember; member < members.length; member += 1) {
      if ((namesIn(members.wordOf(member)) & channels.field) === 0) continue;
      if (this.source.charCodeAt(members.startOf(member)) === openBrace) continue;
      const lastLeaf = members.lastLeafOf(member);
      for (let at = members.firstLeafOf(member), passed = 0; at < lastLeaf && passed < passedAtMost; at += 1)
        if (leaves.countName(at) > namedAtMost) passed += 1;
        else if (leaves.isString(at)) names.add(leaves.startOf(at), leaves.endOf(at));
    }
  }

  /** Fields to sort by: alone, or above their order. */
  #listSorted({ firstLeaf, lastLeaf }: Held): void {
    const { keys, leaves, names } = this.fields;
    const last = Math.min(lastLeaf, firstLeaf + sortedAtMost);
    for (let at = firstLeaf; at < last; at += 1) {
      if (leaves.countName(at) > namedAtMost) continue;
      names.add(leaves.startOf(at), leaves.endOf(at));
      for (const key of [leaves.fieldOf(at), leaves.ownerOf(at)])
        if (key !== nowhere) names.add(keys.startOf(key), keys.endOf(key));
    }
  }
}

const openBrace = 123;
