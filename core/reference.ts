/**
 * Resolves what a text parameter names. A parameter is declared with its kinds (`ref` in
 * params.ts); the domain that owns a kind defines how it is found. Here ids and display names are
 * resolved to ids, for every command, before anything else reads them. The journal keeps what was
 * sent.
 * Source: newer.md section 2, base ids and places; names: ours, as clients show names.
 */
import type { CommandDef } from './command.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from './errors.ts'
import { CANDIDATES_MAX, PREFIX_CHARACTERS_MIN } from './limits.ts'
import { listed } from './say.ts'
import type { Eid, Row, WorldView } from './types.ts'

const REFERENCE_KINDS = [
  'item',
  'module',
  'package',
  'money',
  'ship_class',
  'recipe',
  'facility_type',
  'empire',
  'system',
  'place_here',
  'place',
  'base',
  'own_ship',
  'own_drone',
  'faction',
  'wreck',
  'prize',
  'facility',
  'job',
  'listing',
  'ship_order',
  'commission',
  'shipment',
] as const
export type ReferenceKind = (typeof REFERENCE_KINDS)[number]

/** What a parameter names. */
export interface Reference {
  readonly kinds: readonly ReferenceKind[]
  readonly isOpen: boolean
}

/** The reference of a parameter, on its schema; a symbol, so that no document shows it. */
export const REFERS = Symbol('refers')

/** Something that has a display name. `key` is the name in the form that is compared. */
export interface Named {
  readonly key: string
  readonly id: string
  readonly name: string
  /** Row of the domain's table; 0 in a catalogue. */
  readonly row: number
}

export interface ReferenceDef {
  readonly kind: ReferenceKind
  /** Returns the id that an id resolves to: itself, or the base of a place; undefined for no id. */
  byId(view: WorldView, player: Eid, text: string): string | undefined
  /** Returns all display names, as `sortNames` sorts them. */
  names(view: WorldView, player: Eid): readonly Named[]
  /** Returns whether the player knows the row: otherwise it is never found by name. */
  isKnown?(view: WorldView, player: Eid, row: number): boolean
  /** Codes for a text that names nothing; a command uses the first of these that it declares. */
  readonly unknown: readonly ErrorCode[]
}

/** Defines a kind whose things have no names: an id that finds nothing is refused early. */
export const referenceById = (
  kind: ReferenceKind,
  rowOf: (view: WorldView, text: string, player: Eid) => Row,
  ...unknown: ErrorCode[]
): ReferenceDef => ({
  kind,
  byId: (view, player, text) => (rowOf(view, text, player) === 0 ? undefined : text),
  names: () => [],
  unknown,
})

export type References = ReadonlyMap<ReferenceKind, ReferenceDef>

type Params = Readonly<Record<string, unknown>>

/* Names */

/**
 * Returns a name in the form that is compared: letter case, kinds of apostrophe and outer spaces do
 * not matter.
 */
const nameKey = (text: string): string =>
  text.normalize('NFC').trim().toLowerCase().replaceAll('’', "'")

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Puts names in the order in which they are searched. */
export const sortNames = (names: Omit<Named, 'key'>[]): readonly Named[] =>
  names
    .map((named) => ({ ...named, key: nameKey(named.name) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.id, b.id))

/** Returns the index of the first name that does not sort before a key. */
function lowerBound(names: readonly Named[], key: string): number {
  let [from, to] = [0, names.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (names[middle].key < key) from = middle + 1
    else to = middle
  }
  return from
}

/* Finding */

interface Search {
  readonly view: WorldView
  readonly player: Eid
  readonly key: string
}

/**
 * Returns the known entries whose name is the key, or begins with it; at most one more than are
 * listed.
 */
function entriesOf(def: ReferenceDef, { view, player, key }: Search, isWhole: boolean): Named[] {
  const names = def.names(view, player)
  const found: Named[] = []
  for (let index = lowerBound(names, key); index < names.length; index++) {
    const named = names[index]
    if (isWhole ? named.key !== key : !named.key.startsWith(key)) break
    if (def.isKnown && !def.isKnown(view, player, named.row)) continue
    if (!found.some(({ id }) => id === named.id)) found.push(named)
    if (found.length > CANDIDATES_MAX) break
  }
  return found
}

function ambiguous(field: string, text: string, found: readonly Named[]): Failure {
  const candidates = found.slice(0, CANDIDATES_MAX).map(({ id, name }) => ({ id, name }))
  const shown = candidates.map(({ id, name }) => `${name} (${id})`)
  const more = found.length > CANDIDATES_MAX ? ['others'] : []
  const message = `${field} "${text}" may mean ${listed([...shown, ...more], 'or')}: send the id.`
  return fail(
    'ambiguous_target',
    { field, given: text, candidates, has_more: more.length > 0 },
    message,
  )
}

/**
 * Resolves a text among kinds: first as an id, then as a whole name, then as the prefix of one.
 */
function resolveText(
  defs: readonly ReferenceDef[],
  { view, player }: { view: WorldView; player: Eid },
  field: string,
  text: string,
): Outcome<string | undefined> {
  const trimmed = text.trim()
  const ids = defs.flatMap((def) => def.byId(view, player, trimmed) ?? [])
  // An id that resolves to itself comes first: that of a place may also resolve to its base's.
  if (ids.length > 0) return ok(ids.includes(trimmed) ? trimmed : ids[0])
  const search = { view, player, key: nameKey(text) }
  const whole = defs.map((def) => entriesOf(def, search, true)).find((found) => found.length > 0)
  const isLong = search.key.length >= PREFIX_CHARACTERS_MIN
  const found = whole ?? (isLong ? defs.flatMap((def) => entriesOf(def, search, false)) : [])
  if (new Set(found.map(({ id }) => id)).size > 1) return ambiguous(field, text, found)
  return ok(found[0]?.id)
}

/* Parameters */

interface SchemaPart {
  readonly [REFERS]?: Reference
  readonly type?: string
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly items?: SchemaPart
}

/** Returns whether a schema contains a reference. */
const containsReference = (part: SchemaPart | undefined): boolean =>
  part !== undefined &&
  (part[REFERS] !== undefined ||
    containsReference(part.items) ||
    Object.values(part.properties ?? {}).some(containsReference))

/** Caches whether the parameters of a definition contain a reference. */
const HAS_REFERENCES = new WeakMap<CommandDef, boolean>()

function hasReferences(def: CommandDef): boolean {
  let has = HAS_REFERENCES.get(def)
  if (has === undefined) {
    has = containsReference(def.params as SchemaPart)
    HAS_REFERENCES.set(def, has)
  }
  return has
}

interface Reader {
  readonly view: WorldView
  readonly references: References
  readonly player: Eid
  /** The texts that name nothing. */
  readonly unknown: Unknown[]
}

interface Unknown {
  readonly field: string
  readonly text: string
  readonly codes: readonly ErrorCode[]
}

function readText(reader: Reader, part: SchemaPart, field: string, text: string): Outcome<unknown> {
  const { kinds, isOpen } = part[REFERS] as Reference
  const defs = kinds.flatMap((kind) => reader.references.get(kind) ?? [])
  const found = resolveText(defs, reader, field, text)
  if (!found.ok || found.result !== undefined) return found
  if (!isOpen) reader.unknown.push({ field, text, codes: defs.flatMap(({ unknown }) => unknown) })
  return ok(text)
}

/** Returns a value with its references resolved; what its schema does not describe stays as is. */
function readValue(
  reader: Reader,
  part: SchemaPart,
  field: string,
  value: unknown,
): Outcome<unknown> {
  if (!containsReference(part)) return ok(value)
  if (part[REFERS] && typeof value === 'string') return readText(reader, part, field, value)
  const { properties, items } = part
  if (Array.isArray(value) && items) {
    // The command reports what is wrong with a row.
    const ofRows = { ...reader, unknown: [] }
    const rows: unknown[] = []
    for (const row of value) {
      const done = readValue(ofRows, items, field, row)
      if (!done.ok) return done
      rows.push(done.result)
    }
    return ok(rows)
  }
  if (typeof value !== 'object' || value === null || !properties) return ok(value)
  const made: Record<string, unknown> = { ...value }
  for (const [name, inner] of Object.entries(properties)) {
    if (made[name] === undefined) continue
    const done = readValue(reader, inner, name, made[name])
    if (!done.ok) return done
    made[name] = done.result
  }
  return ok(made)
}

interface ReadParams {
  readonly params: Params
  readonly unknown: readonly Unknown[]
}

/** Returns the parameters with ids in place of names. Refusal: ambiguous_target. */
export function readReferences(
  view: WorldView,
  references: References,
  { def, player, params }: { def: CommandDef; player: Eid; params: Params },
): Outcome<ReadParams> {
  if (!hasReferences(def)) return ok({ params, unknown: [] })
  const reader: Reader = { view, references, player, unknown: [] }
  const done = readValue(reader, def.params as SchemaPart, '', params)
  if (!done.ok) return done
  return ok({ params: done.result as Params, unknown: reader.unknown })
}

/** Refuses a text that names nothing, if the command has a code for it. */
export function unknownRefusal(def: CommandDef, unknown: readonly Unknown[]): Failure | undefined {
  for (const { field, text, codes } of unknown) {
    const code = codes.find((each) => def.errors.includes(each))
    if (code) return fail(code, { [field]: text })
  }
  return undefined
}
