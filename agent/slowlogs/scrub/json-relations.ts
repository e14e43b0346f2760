import { nowhere, type Namings, type Spans } from './field-tables.js';
import type { Leaves } from './leaves.js';
import type { Members } from './members.js';
import type { Frames } from './json-frames.js';
import { Alphabet } from './rules/runs.js';
import { channels, holdsIn, listsFields, mayBeQuery, namesIn } from './search-words.js';
import type { Units } from './units.js';

/** Leaves under a `sort` that are looked at. */
const sortedAtMost = 32;
/** Parameters of a script that are looked at, and how long the name of a field is that one of them may be. */
const parametersAtMost = 32;
const nameAtMost = 120;
const ofNames = Alphabet.of('[\\w.@-]');
/** Of the leaves of a member that lists fields, so many that are no names any more are passed over. */
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
    private readonly units: Units,
    private readonly fields: Listed,
    private readonly frames: Frames,
    /** Of the open frames. */
    private readonly members: Members,
  ) {}

  /**
   * Puts members of the innermost frame that name fields and those that hold values together. Gives where
   * the names of fields end that stand in it itself, in the table of all.
   */
  relate(firstMember: number): number {
    const { names } = this.fields;
    const from = names.length;
    this.#listFields(firstMember);
    const to = names.length;
    const holds = this.#holdsFrom(firstMember);
    if ((holds & channels.field) !== 0) this.#hold(channels.field, firstMember, from, to);
    if ((holds & channels.below) !== 0) {
      this.frames.listBelow(names);
      this.#hold(channels.below, firstMember, to, names.length);
    }
    if ((holds & channels.sort) !== 0) {
      const first = names.length;
      this.#listSorted(firstMember);
      this.#hold(channels.sort, firstMember, first, names.length);
    }
    if ((holds & channels.script) !== 0) {
      const first = names.length;
      this.#listScripts(firstMember);
      if (names.length > first) this.#listNamedByParameters(firstMember);
      this.#hold(channels.script, firstMember, first, names.length);
    }
    return to;
  }

  /** The channels in which members hold values. */
  #holdsFrom(firstMember: number): number {
    const { members } = this;
    let holds = 0;
    for (let at = firstMember; at < members.length; at += 1) holds |= holdsIn(members.wordOf(at));
    return holds;
  }

  /** Puts the values that members hold in a channel under names, if there are any. */
  #hold(channel: number, firstMember: number, namesFrom: number, namesTo: number): void {
    if (namesFrom === namesTo) return;
    const { held, namings } = this.fields;
    const { members } = this;
    const from = held.length;
    const isSearch = channel === channels.field && this.#someListFields(firstMember);
    for (let at = firstMember; at < members.length; at += 1)
      if ((holdsIn(members.wordOf(at)) & channel) !== 0 && !(isSearch && this.#isQuery(at)))
        held.addOf(members, at);
    namings.add(namesFrom, namesTo, from, held.length, channel === channels.script);
  }

  #someListFields(firstMember: number): boolean {
    const { members } = this;
    for (let at = firstMember; at < members.length; at += 1) if (listsFields(members.wordOf(at))) return true;
    return false;
  }

  /** A query of its own names its own fields. */
  #isQuery(member: number): boolean {
    const { members } = this;
    return mayBeQuery(members.wordOf(member)) && this.units.at(members.startOf(member)) === openBrace;
  }

  #listScripts(firstMember: number): void {
    const { members } = this;
    for (let at = firstMember; at < members.length; at += 1) {
      if ((namesIn(members.wordOf(at)) & channels.script) === 0) continue;
      const scripts = members.scriptsOf(at);
      if (scripts >= scriptsAtMost) continue;
      this.fields.names.add(members.startOf(at), members.endOf(at));
      this.frames.holdScripts(scripts + 1);
    }
  }

  /** A parameter may name the field that another is looked for in: `doc[params.f].value == params.x`. */
  #listNamedByParameters(firstMember: number): void {
    const { members } = this;
    const { leaves, names } = this.fields;
    for (let member = firstMember; member < members.length; member += 1) {
      if ((holdsIn(members.wordOf(member)) & channels.script) === 0) continue;
      if (this.units.at(members.startOf(member)) !== openBrace) continue;
      const first = members.firstLeafOf(member);
      const last = Math.min(members.lastLeafOf(member), first + parametersAtMost);
      for (let at = leaves.nextNameable(first); at < last; at = leaves.nextNameable(at + 1)) {
        leaves.countName(at);
        if (leaves.isString(at) && this.#isName(leaves.startOf(at), leaves.endOf(at)))
          names.add(leaves.startOf(at), leaves.endOf(at));
      }
    }
  }

  #isName(start: number, end: number): boolean {
    if (end - start < 2 || end - start > nameAtMost) return false;
    for (let at = start; at < end; at += 1) if (!ofNames.has(this.units.at(at))) return false;
    return true;
  }

  /** The names of fields that members list: a string, or those of a list. */
  #listFields(firstMember: number): void {
    const { members } = this;
    for (let member = firstMember; member < members.length; member += 1) {
      if ((namesIn(members.wordOf(member)) & channels.field) === 0) continue;
      if (this.units.at(members.startOf(member)) === openBrace) continue;
      this.#listStrings(members.firstLeafOf(member), members.lastLeafOf(member));
    }
  }

  #listStrings(first: number, last: number): void {
    const { leaves, names } = this.fields;
    let passed = 0;
    for (let at = first; at < last; at += 1) {
      const nameable = leaves.nextNameable(at);
      passed += nameable - at;
      if (nameable >= last || passed >= passedAtMost) return;
      at = nameable;
      leaves.countName(at);
      if (leaves.isString(at)) names.add(leaves.startOf(at), leaves.endOf(at));
    }
  }

  /** Fields to sort by: alone, or above their order. */
  #listSorted(firstMember: number): void {
    const { members } = this;
    for (let member = firstMember; member < members.length; member += 1) {
      if ((namesIn(members.wordOf(member)) & channels.sort) === 0) continue;
      const first = members.firstLeafOf(member);
      const last = Math.min(members.lastLeafOf(member), first + sortedAtMost);
      this.#listLeaves(first, last);
    }
  }

  /** Leaves and their keys: those next to each other mostly have the same. */
  #listLeaves(first: number, last: number): void {
    const { leaves, names } = this.fields;
    let [field, owner] = [nowhere, nowhere];
    for (let at = leaves.nextNameable(first); at < last; at = leaves.nextNameable(at + 1)) {
      leaves.countName(at);
      names.add(leaves.startOf(at), leaves.endOf(at));
      const [fieldBefore, ownerBefore] = [field, owner];
      field = leaves.fieldOf(at);
      owner = leaves.ownerOf(at);
      if (field !== fieldBefore && field !== ownerBefore) this.#listKey(field);
      if (owner !== fieldBefore && owner !== ownerBefore) this.#listKey(owner);
    }
  }

  #listKey(key: number): void {
    const { keys, names } = this.fields;
    if (key !== nowhere) names.add(keys.startOf(key), keys.endOf(key));
  }
}

const openBrace = 123;
