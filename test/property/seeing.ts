/**
 * The world of the hiding test: three players hide in it, three others look. Whatever anybody does,
 * nothing that reaches the others names a cloaked or anonymous player, or a hidden place.
 */
import { itemIndex } from '../../core/catalog/index.ts'
import { type CommandDef, commandKey } from '../../core/command.ts'
import type { Outcome } from '../../core/errors.ts'
import type { TSchema } from '../../core/params.ts'
import { pendingOf } from '../../core/pending.ts'
import { type Eid, SECTIONS, type World } from '../../core/types.ts'
import { playerId, usernameOf } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { FATES, Participant } from '../../systems/combat/state.ts'
import { aliasOf } from '../../systems/sensing/model.ts'
import { setCloak } from '../../systems/sensing/rules.ts'
import { shipId } from '../../systems/ship/model.ts'
import { fitModule, recompute } from '../../systems/ship/rules.ts'
import { Ship } from '../../systems/ship/state.ts'
import { skillIndex } from '../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../systems/skill/state.ts'
import { poiId, poiName } from '../../systems/travel/model.ts'
import { placeInSpace } from '../../systems/travel/rules.ts'
import { Poi } from '../../systems/travel/state.ts'
import type { Command, SmallWorld } from '../small-world.ts'
import { hullOf, meeting, open, putAt, rowOf } from '../unit/combat/scene.ts'
import { ROOMY } from '../unit/sensing/scene.ts'

interface Hiding {
  readonly small: SmallWorld
  readonly world: World
  readonly observers: readonly Eid[]
  /** Cloaked, anonymous, and at the hidden place `cave`. */
  readonly ghost: Eid
  readonly nameless: Eid
  readonly hermit: Eid
  readonly cave: Eid
}

const MODULES = ['scanner_i', 'mining_laser_i', 'repair_arm', 'refueling_pump']

function giveLooks(world: World, player: Eid, word: string): void {
  world.setText(Player, 'statusMessage', player, `status of ${word}`)
  world.setText(Player, 'clanTag', player, word.slice(0, 4))
  world.setText(Ship, 'name', hullOf(world, player), `hull of ${word}`)
}

/** Makes three observers, and three players who hide from them, in one system. */
export async function hiding(): Promise<Hiding> {
  const { small, world, system, poi, players } = await meeting(6)
  const [ghost, nameless, hermit, ...observers] = players
  const cave = open(world, system).find((other) => other !== poi) ?? poi
  world.write(Poi).hidden[cave] = 1
  world.write(Poi).difficulty[cave] = 10_000
  world.setText(Poi, 'id', cave, 'whispering_cave')
  world.setText(Poi, 'name', cave, 'Whispering Cave')
  for (const player of players) putAt(world, player, poi, { shipClass: ROOMY, modules: MODULES })
  placeInSpace(world, hullOf(world, hermit), cave)
  world.recycle()
  fitModule(world, hullOf(world, ghost), itemIndex('cloak_iii'))
  giveLooks(world, ghost, 'Umbra')
  giveLooks(world, nameless, 'Nemo')
  world.write(Player).anonymous[nameless] = 1
  world.write(PlayerSkills).level[ghost * SKILLS_WIDTH + skillIndex('stealth')] = 20
  recompute(world, hullOf(world, ghost))
  setCloak(world, ghost, true)
  return { small, world, observers, ghost, nameless, hermit, cave }
}

/* What must not be shown */

/** Tells whether a text is one that `giveLooks` made: nobody else has it. */
const isGiven = (text: string): boolean => /^(status|hull) of /.test(text)

/** Returns texts by which a player can be known; the hull of an anonymous player may be public. */
function tokensOf(world: World, player: Eid, isHullKnown: boolean): string[] {
  const ship = hullOf(world, player)
  const { statusMessage } = world.read(Player)
  const name = world.texts.get(world.read(Ship).name[ship])
  const own = [playerId(world, player), usernameOf(world, player)]
  const looks = [world.texts.get(statusMessage[player]), name].filter(isGiven)
  return isHullKnown ? [...own, ...looks] : [...own, ...looks, shipId(world, ship)]
}

/** Returns the texts that nobody else may read now. */
export function secretsOf({ world, ghost, nameless, cave }: Hiding): string[] {
  const { cloaked, anonymous } = world.read(Player)
  return [
    ...(cloaked[ghost] === 1 ? tokensOf(world, ghost, false) : []),
    ...(anonymous[nameless] === 1 ? tokensOf(world, nameless, true) : []),
    poiId(world, cave),
    poiName(world, cave),
  ]
}

/* What is tried */

/** One command of one player, chosen by random numbers. */
interface Try {
  readonly player: number
  readonly command: number
  readonly pick: number
  readonly bits: number
}

/** Commands that name whoever gives them by the rules of social.md 1: that is no leak. */
const REVEALING = /^(chat|petition|forum_|trade_|send_gift|deposit_|faction_|create_|login|claim)/

/** Returns the commands to try: all that clients have; for the hidden, only unrevealing ones. */
export function commandsOf({ small }: Hiding, isHidden: boolean): CommandDef[] {
  return [...small.registry.commands.values()].filter(
    (def) =>
      def.kind !== 'session' &&
      !def.name.startsWith('internal:') &&
      !(isHidden && REVEALING.test(def.name)),
  )
}

/** Returns texts by which observers may try to reach those who hide. */
function handlesOf(hiding: Hiding): string[] {
  const { world, ghost, nameless, hermit, observers, cave } = hiding
  return [
    ...[ghost, nameless, hermit, observers[0]].flatMap((player) => [
      playerId(world, player),
      usernameOf(world, player),
    ]),
    aliasOf(world, nameless),
    aliasOf(world, ghost),
    shipId(world, hullOf(world, ghost)),
    poiId(world, cave),
  ]
}

type Field = TSchema & {
  type?: string
  enum?: readonly unknown[]
  examples?: readonly unknown[]
}

/** Parameters that refer to something; the others would only quote it. */
const POINTS = /(id|ids|target|player|recipient|username|system|poi)$/

function drawValue(name: string, field: Field, handles: readonly string[], draw: number): unknown {
  if (field.enum) return field.enum[draw % field.enum.length]
  const isHandle = field.type === 'string' && POINTS.test(name) && draw % 4 !== 0
  return isHandle ? handles[draw % handles.length] : field.examples?.[0]
}

const requiredOf = (def: CommandDef): readonly string[] => def.params.required ?? []

/** Draws parameters that fit the schema, with texts from the handles. */
function paramsOf(hiding: Hiding, def: CommandDef, { pick, bits }: Try) {
  const handles = handlesOf(hiding)
  const required = requiredOf(def)
  const params: Record<string, unknown> = {}
  for (const [i, [name, field]] of Object.entries(def.params.properties).entries()) {
    if (!required.includes(name) && ((bits >> i) & 1) === 0) continue
    const value = drawValue(name, field as Field, handles, pick + i)
    if (value !== undefined) params[name] = value
  }
  return params
}

/* Playing */

export interface Shown {
  /** What showed the text, for the message of a failure. */
  readonly label: string
  readonly text: string
  /** Texts that the recipient sent, which may come back. */
  readonly own: readonly string[]
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}

function shown(label: string, outcome: unknown, params: object): Shown {
  return { label, text: JSON.stringify(outcome) ?? '', own: textsIn(params) }
}

/** Adds names that may be read: those of a player whose id was sent, and the other way round. */
function withKnownNames({ world }: Hiding, given: Shown, def: CommandDef): Shown {
  if (!REVEALING.test(def.name)) return given
  const own = [...given.own]
  for (let player = 1; player <= world.highOf(Player); player++) {
    const pair = [playerId(world, player), usernameOf(world, player)]
    if (pair.some((text) => given.own.includes(text))) own.push(...pair)
  }
  return { ...given, own }
}

/** One in this many tries is an attack: fights show the most. */
const ATTACK_EVERY = 4

function drawCommand(hiding: Hiding, attempt: Try, isHidden: boolean) {
  const { small, world, nameless, hermit, observers } = hiding
  const attack = small.registry.commands.get('attack')
  if (attack && attempt.bits % ATTACK_EVERY === 0) {
    const foes = [aliasOf(world, nameless), playerId(world, hermit), playerId(world, observers[0])]
    return { def: attack, params: { target_id: foes[attempt.pick % foes.length] } }
  }
  const defs = commandsOf(hiding, isHidden)
  const def = defs[attempt.command % defs.length]
  return { def, params: paramsOf(hiding, def, attempt) }
}

/** After one in this many tries, a ship that fights is lost. */
const LOSS_EVERY = 5

/**
 * Dooms the ship of one of the fighting players in this tick; the next one in the list is the
 * killer.
 */
function doom({ world }: Hiding, players: readonly Eid[], draw: number): void {
  const rows = players.map((player) => rowOf(world, player)).filter((row) => row !== 0)
  if (rows.length < 2) return
  const part = world.write(Participant)
  const victim = draw % rows.length
  part.fate[rows[victim]] = FATES.indexOf('destroyed')
  part.killer[rows[victim]] = rows[(victim + 1) % rows.length]
}

/** Runs one try of each in a tick; returns all that the observers are shown. */
export function play(hiding: Hiding, tries: readonly Try[]): Shown[] {
  const { small, world, observers } = hiding
  const texts: Shown[] = []
  const commands: Command[] = []
  const sent = new Map<Eid, Shown>()
  const everyone = [hiding.ghost, hiding.nameless, hiding.hermit, ...observers]
  for (const attempt of tries) {
    const player = everyone[attempt.player % everyone.length]
    const isHidden = !observers.includes(player)
    const { def, params } = drawCommand(hiding, attempt, isHidden)
    const label = `${isHidden ? 'hidden' : 'observer'} ${def.name} ${JSON.stringify(params)}`
    if (def.kind === 'mutation' || (def.kind === 'archive' && def.as === 'mutation')) {
      if (pendingOf(world, player) || commands.some((other) => other.player === player)) continue
      commands.push({ player, command: commandKey(def), params })
      sent.set(player, withKnownNames(hiding, shown(label, '', params), def))
    } else {
      const outcome = small.ask(player, commandKey(def), params)
      if (!isHidden) texts.push(withKnownNames(hiding, shown(label, outcome, params), def))
    }
  }
  for (const { bits, player } of tries) {
    if (bits % LOSS_EVERY === 0) doom(hiding, everyone, player + bits)
  }
  const answers: Map<Eid, Outcome<unknown>> = small.tick(...commands)
  for (const [player, outcome] of answers) {
    if (!observers.includes(player)) continue
    const before = sent.get(player)
    texts.push({ ...shown(before?.label ?? 'later', outcome, {}), own: before?.own ?? [] })
  }
  return [...texts, ...framesAndLogs(hiding, sent), ...answersToQueries(hiding)]
}

/**
 * Returns frames to observers and the battle log, which is public. A frame to one player may repeat
 * what that player has sent.
 */
function framesAndLogs(
  { small, world, observers }: Hiding,
  sent: ReadonlyMap<Eid, Shown>,
): Shown[] {
  const numbers = observers.map((player) => world.read(Player).seq[player])
  const emissions = small
    .takeEmissions()
    .filter(({ to }) => to.some((number) => numbers.includes(number)))
  const logs = small.store.archive.rows.get('logBattles') ?? []
  small.store.archive.rows.delete('logBattles')
  return [
    ...emissions.map(({ type, payload, feed, to }) => {
      const asker = to.length === 1 ? sent.get(world.rowOf(Player, to[0])) : undefined
      return { ...shown(type, { payload, feed }, {}), own: asker?.own ?? [] }
    }),
    ...logs.map(({ args }) => shown('battle log', args, {})),
  ]
}

/** Runs every query without parameters for the first observer. */
function answersToQueries({ small, world, observers }: Hiding): Shown[] {
  const queries = [...small.registry.commands.values()].filter(
    (def) => def.kind === 'query' && requiredOf(def).length === 0 && !STATIC.includes(def.name),
  )
  return observers
    .slice(0, 1)
    .flatMap((player) => [
      ...queries.map((def) => shown(def.name, small.ask(player, commandKey(def)), {})),
      ...SECTIONS.map((name) => shown(`section ${name}`, world.section(name, player), {})),
    ])
}

/** Queries whose answers are long, and the same in every world. */
const STATIC = ['catalog', 'help', 'get_commands', 'get_guide', 'get_version']
