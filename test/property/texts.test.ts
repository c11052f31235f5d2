/**
 * Bad texts in every text parameter of every command: accepted texts are bounded and clean wherever
 * they end up (world, archive, events to others), refusals are brief, and nothing breaks. Source:
 * social.md, text rules.
 */
import { expect, test } from 'vitest'
import { GOODS } from '../../core/catalog/index.ts'
import { type CommandDef, commandKey, isMutation } from '../../core/command.ts'
import type { Outcome } from '../../core/errors.ts'
import { createInbox, receive } from '../../core/inbox.ts'
import { TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, Row } from '../../core/types.ts'
import { createValidators, validate } from '../../net/validate.ts'
import { playerId } from '../../systems/account/model.ts'
import { baseId } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { DroneScript } from '../../systems/drone/state.ts'
import { facilityId, factionFacilities } from '../../systems/facility/model.ts'
import { addMember, foundFaction } from '../../systems/faction/member-rules.ts'
import { factionIdOf, factionOf } from '../../systems/faction/model.ts'
import { OFFICER } from '../../systems/faction/role-model.ts'
import { Membership } from '../../systems/faction/state.ts'
import { NOTE_CHARACTERS_MAX } from '../../systems/note/state.ts'
import { shipId } from '../../systems/ship/model.ts'
import { shipOf } from '../../systems/travel/location-model.ts'
import { poiId, systemId } from '../../systems/travel/model.ts'
import { Poi } from '../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../small-world.ts'
import { addService, dockAt, openBase } from '../unit/faction/scene.ts'

onSmallMap()

/** Characters that no list or log may hold: controls, invisible ones, halves of characters. */
const FORBIDDEN =
  /[^\P{Cc}\n\t]|\p{Cf}|\p{Surrogate}|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/u
/** The longest stored texts are those of notes. */
const KEPT_MAX = NOTE_CHARACTERS_MAX
/** The most characters of a refusal. */
const REFUSAL_MAX = 4_000

const TEXTS: readonly string[] = [
  '<script>alert("1")</script> &amp; \'; DROP TABLE players; --',
  '{{constructor}} $(x) %s \\u0000 \\x1b[31m',
  '__proto__',
  'bell\u0007 escape\u001b[2J',
  'next\u0085line\u009bx',
  'right\u202eto left\u2066x',
  'zero\u200bwidth\ufeff tag\u{e0041} filler\u3164',
  'half \ud800',
  `${'x'.repeat(TEXT_CHARACTERS_MAX)}`,
  `${'y'.repeat(TEXT_CHARACTERS_MAX + 1)}`,
]

interface Field {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Field>>
  readonly items?: Field
  readonly anyOf?: readonly Field[]
}

/** Returns the paths to every free text of a schema: keys of objects, 0 into a list. */
function textsIn(field: Field | undefined, path: readonly (string | number)[] = []) {
  const found: (readonly (string | number)[])[] = []
  if (field === undefined) return found
  if (field.type === 'string' && !field.enum) found.push(path)
  for (const [name, part] of Object.entries(field.properties ?? {})) {
    found.push(...textsIn(part, [...path, name]))
  }
  if (field.items) found.push(...textsIn(field.items, [...path, 0]))
  for (const part of field.anyOf ?? []) found.push(...textsIn(part, path))
  return found
}

/** Returns the example with the text at one path replaced. */
function withText(value: unknown, path: readonly (string | number)[], text: string): unknown {
  const [first, ...rest] = path
  if (first === undefined) return text
  if (typeof first === 'number') {
    const [entry, ...others] = Array.isArray(value) ? value : []
    return [withText(entry, rest, text), ...others]
  }
  const object = typeof value === 'object' && value !== null ? value : {}
  return { ...object, [first]: withText((object as Record<string, unknown>)[first], rest, text) }
}

interface Scene {
  readonly small: SmallWorld
  readonly players: readonly Eid[]
  readonly base: Row
  readonly faction: Row
}

const SERVICES = ['faction_storage', 'faction_admin', 'faction_intel', 'faction_trade_intel']
const PLAYERS = 12

/** Makes a faction whose members may do everything that their base allows. */
async function openScene(): Promise<Scene> {
  const small = await smallWorld({ players: PLAYERS })
  const { world, players } = small
  const faction = foundFaction(world, players[0], 'Careful Writers', 'TEXT')
  const base = openBase(world)
  for (const service of SERVICES) addService(world, faction, base, service)
  for (const player of players.slice(1)) {
    addMember(world, player, faction)
    world.write(Membership).role[player] = OFFICER
  }
  for (const player of players) dockAt(world, player, base)
  return { small, players, base, faction }
}

/** Returns values by name of parameter that are valid in the scene. */
function validValues({ small, players, base, faction }: Scene, player: Eid) {
  const { world } = small
  const { poi } = world.read(Base)
  const other = playerId(world, players.find((candidate) => candidate !== player) ?? player)
  const values: Record<string, unknown> = {
    player_id: other,
    target_id: other,
    recipient: 'faction',
    username: 'Tester 2',
    base_id: baseId(world, base),
    poi_id: poiId(world, poi[base]),
    item_id: GOODS[0].id,
    system_id: systemId(world, world.read(Poi).system[poi[base]]),
    quantity: 1,
    faction_id: factionIdOf(world, faction),
    ship_id: shipId(world, shipOf(world, player)),
    facility_id: facilityId(world, factionFacilities(world, faction)[0]),
    channel: 'local',
    content: 'Good morning.',
    title: 'Morning',
    category: 'general',
    credits: 1,
    // Members cannot found another faction, so any name will do.
    name: 'Plain',
    message: 'Plain.',
    description: 'Plain.',
    entry: 'Plain.',
  }
  return values
}

/** Makes parameters with one bad text: all required ones are there, and valid in the scene. */
function paramsWith(
  scene: Scene,
  player: Eid,
  def: CommandDef,
  { path, text }: { readonly path: readonly (string | number)[]; readonly text: string },
): Record<string, unknown> {
  const { properties, required = [] } = def.params as unknown as {
    properties: Record<string, Field>
    required?: readonly string[]
  }
  const values = validValues(scene, player)
  const params: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(properties)) {
    const isWanted = required.includes(name) || name === path[0] || name === 'facility_id'
    if (isWanted) params[name] = Object.hasOwn(values, name) ? values[name] : field.examples?.[0]
  }
  return withText(params, path, text) as Record<string, unknown>
}

interface Wish {
  readonly def: CommandDef
  readonly path: readonly (string | number)[]
  readonly text: string
}

/** Expects a refusal to be short, whatever was sent. */
function expectBrief({ def, text }: Wish, outcome: Outcome<unknown>): void {
  const answer = JSON.stringify(outcome)
  const name = `${commandKey(def)}: ${JSON.stringify(text.slice(0, 20))}`
  if (!outcome.ok) {
    expect(answer.length, name).toBeLessThan(REFUSAL_MAX)
    expect(outcome.code, `${name} ${answer}`).not.toBe('internal_error')
  }
}

const validators = createValidators()

/** Returns the wishes that pass the schemas. */
function sendable(scene: Scene, wishes: readonly Wish[]) {
  return wishes.flatMap((wish, turn) => {
    const player = scene.players[turn % scene.players.length]
    const sent = paramsWith(scene, player, wish.def, wish)
    const judged = validate(validators, wish.def, sent, false)
    if (judged.ok) return [{ wish, player, params: judged.params }]
    expectBrief(wish, judged)
    return []
  })
}

/** Returns all texts of a world and its archive that can be read later. */
function keptTexts({ small }: Scene): string[] {
  const { world, store } = small
  const { alive, source } = world.read(DroneScript)
  const scripts = new Set<string>()
  for (let row = 1; row <= world.highOf(DroneScript); row++) {
    if (alive[row] === 1) scripts.add(world.texts.get(source[row]))
  }
  const texts = world.texts.image().texts.filter((text) => !scripts.has(text))
  const walk = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null) return []
    return [...Object.keys(value), ...Object.values(value).flatMap(walk)]
  }
  const records = [...world.recordStores.values()].flatMap(({ table }) => [...table.entries()])
  return [...texts, ...walk(records), ...walk([...store.archive.rows.values()])]
}

function expectClean(scene: Scene, during: string): void {
  const kept = keptTexts(scene)
  const bad = kept.filter((text) => FORBIDDEN.test(text) || text.length > KEPT_MAX)
  expect(
    bad.map((text) => JSON.stringify(text.slice(0, 80))),
    during,
  ).toEqual([])
}

test('no command stores or sends a bad text, or refuses it at length', async () => {
  const scene = await openScene()
  const { small } = scene
  const commands = [...small.registry.commands.values()].filter(
    (def) => def.kind !== 'session' && !def.name.startsWith('internal:'),
  )
  const paths = commands.flatMap((def) =>
    textsIn(def.params as Field).map((path) => ({ def, path })),
  )
  expect(paths.length).toBeGreaterThan(200)
  const wishes = TEXTS.flatMap((text) => paths.map((parameter) => ({ ...parameter, text })))
  const sent = sendable(scene, wishes)
  expect(sent.length).toBeGreaterThan(TEXTS.length * 50)
  const accepted = new Set<string>()
  for (const { wish, player, params } of sent.filter(({ wish }) => !isMutation(wish.def))) {
    const outcome = small.ask(player, commandKey(wish.def), params)
    expectBrief(wish, outcome)
    if (outcome.ok) accepted.add(commandKey(wish.def))
  }
  expectClean(scene, 'what needs no tick')
  const waiting = new Map<Eid, (typeof sent)[number][]>()
  for (const mutation of sent.filter(({ wish }) => isMutation(wish.def))) {
    const { player } = mutation
    waiting.set(player, [...(waiting.get(player) ?? []), mutation])
  }
  const rounds = Math.max(...[...waiting.values()].map(({ length }) => length))
  for (let round = 0; round < rounds; round++) {
    const now = [...waiting.values()].flatMap((list) => list[round] ?? [])
    const taken = now.filter(({ wish, player, params }) => {
      const number = playerNumber(small.world, player)
      const submission = { ref: 1, player: number, command: commandKey(wish.def), params }
      const inbox = createInbox()
      const answer = receive(small.world, small.registry, inbox, { ...submission, framing: 'ws2' })
      if (answer) expectBrief(wish, answer.outcome)
      return answer?.stage === 'accepted'
    })
    const answers = small.tick(
      ...taken.map(({ wish, player, params }) => {
        return { player, command: commandKey(wish.def), params }
      }),
    )
    for (const { wish, player } of taken) {
      const outcome = answers.get(player)
      if (outcome) expectBrief(wish, outcome)
      if (outcome?.ok) accepted.add(commandKey(wish.def))
    }
  }
  expectClean(scene, 'what takes a tick')
  const emitted = small
    .takeEmissions()
    .filter(({ payload }) => FORBIDDEN.test(JSON.stringify(payload)))
  expect(emitted).toEqual([])
  expect(factionOf(small.world, scene.players[0])).toBe(scene.faction)
  expect(accepted.size).toBeGreaterThan(20)
  expect((await small.reload()).hash()).toBe(small.hash())
}, 240_000)
