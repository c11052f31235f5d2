/**
 * Listening at a base: eight ticks in which nothing else can be ordered, then a fact of its last
 * day, nothing, or somebody who looked back. Source: factions.md section 6.
 */
import { type CommandDef, LATER, mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { ESPIONAGE_COOLDOWN_TICKS, ESPIONAGE_TICKS } from '../../core/limits-intel.ts'
import { divCeil } from '../../core/math.ts'
import { NO_PARAMS } from '../../core/params.ts'
import { answerLater, pendingOf } from '../../core/pending.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { usernameOf } from '../account/rules.ts'
import { baseId, baseName } from '../base/rules.ts'
import { activeFacility } from '../facility/rules.ts'
import { Faction } from '../faction/columns.ts'
import { factionOf, IN_FACTION, noteFactionLog } from '../faction/rules.ts'
import { AT_LIBERTY } from '../law/rules.ts'
import { logAction } from '../log/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { FACT_KINDS, type Fact, type FactKind, Spy } from './columns.ts'
import { factsAt } from './fact-rules.ts'
import { espionageResult } from './schemas.ts'
import { tellFact, tellLeft, tellNothing, tellSpotted } from './stories.ts'

/** Of a hundred: so many hear a fact, and so many more nothing; the rest are spotted. */
const FACT_PCT = 50
const NOTHING_PCT = 35
const DICE = hashText('intel.espionage')
const STORY = hashText('intel.story')

/** Listeners by the tick in which they are done. */
const DUE = defineIndex('intel.listeners', () => new Map<number, Eid[]>())

function expect(world: World, player: Eid): void {
  const due = world.index(DUE)
  const tick = world.read(Spy).dueTick[player]
  const players = due.get(tick)
  if (players) players.push(player)
  else due.set(tick, [player])
}

export function rebuildListeners(world: World): void {
  world.index(DUE).clear()
  const { alive } = world.read(Player)
  const { dueTick } = world.read(Spy)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && dueTick[player] !== 0) expect(world, player)
  }
}

const hasRoom = (view: WorldView, player: Eid, base: Row): boolean =>
  factionOf(view, player) !== 0 &&
  activeFacility(view, factionOf(view, player), base, 'faction_espionage') !== 0

const secondsOf = (view: WorldView, ticks: number): number => divCeil(ticks * view.tickMs, 1_000)

export const espionage: CommandDef = mutation({
  name: 'espionage',
  v2: { tool: 'game_intel', action: 'espionage' },
  summary: 'Listen at this base from a hidden room of your faction; it takes eight ticks.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION, AT_LIBERTY, DOCKED],
  changes: ['queue'],
  params: NO_PARAMS,
  result: espionageResult,
  errors: ['no_espionage_hq', 'espionage_cooldown'],
  run(world, player) {
    const base = dockedBase(world, player)
    if (!hasRoom(world, player, base)) return fail('no_espionage_hq')
    const wait = world.read(Spy).freeTick[player] - world.tick
    if (wait > 0) {
      return fail('espionage_cooldown', { ticks: wait, wait_seconds: secondsOf(world, wait) })
    }
    const spy = world.write(Spy)
    spy.base[player] = base
    spy.dueTick[player] = world.tick + ESPIONAGE_TICKS
    spy.freeTick[player] = world.tick + ESPIONAGE_COOLDOWN_TICKS
    expect(world, player)
    return LATER
  },
})

/** Facts of a base that are news to a player: neither his own doing nor his faction's. */
function newsFor(view: WorldView, player: Eid, base: Row): Fact[] {
  const own = view.read(Player).seq[player]
  const faction = view.read(Faction).seq[factionOf(view, player)]
  return factsAt(view, base).filter((fact) => fact.by !== own && fact.faction !== faction)
}

interface Heard {
  readonly outcome: 'success' | 'nothing' | 'spotted'
  readonly story: string
  readonly intel_type?: FactKind
}

/** What a listener hears; the dice are those of the tick and the player. */
function listen(view: WorldView, player: Eid, base: Row): Heard {
  const seq = view.read(Player).seq[player]
  const roll = drawBelow(100, hash32(view.seed, DICE, view.tick, seq))
  const random = hash32(view.seed, STORY, view.tick, seq)
  if (dockedBase(view, player) !== base || !hasRoom(view, player, base)) {
    return { outcome: 'nothing', story: tellLeft(random) }
  }
  if (roll >= FACT_PCT + NOTHING_PCT) return { outcome: 'spotted', story: tellSpotted(random) }
  const news = roll < FACT_PCT ? newsFor(view, player, base) : []
  if (news.length === 0) return { outcome: 'nothing', story: tellNothing(random) }
  const fact = news[drawBelow(news.length, hash32(view.seed, STORY, view.tick, seq, 1))]
  const intel_type = FACT_KINDS[fact.kind]
  return { outcome: 'success', story: tellFact(view, fact, random), intel_type }
}

const SAID = {
  success: 'Heard something',
  nothing: 'Heard nothing',
  spotted: 'Was seen listening',
} as const

function comeBack(world: World, player: Eid): void {
  const spy = world.write(Spy)
  const base = spy.base[player]
  spy.base[player] = 0
  spy.dueTick[player] = 0
  if (pendingOf(world, player)?.command !== espionage.name) return
  const { outcome, story, intel_type } = listen(world, player, base)
  const summary = `${SAID[outcome]} at ${baseName(world, base)}.`
  const data = { outcome, base_id: baseId(world, base) }
  logAction(world, player, 'faction', 'espionage', summary, data)
  const faction = factionOf(world, player)
  if (faction !== 0) {
    const said = `${usernameOf(world, player)}: ${summary}`
    noteFactionLog(world, faction, player, { verb: 'espionage', summary: said, data })
  }
  const told = { action: 'espionage', outcome, story }
  answerLater(world, player, ok(intel_type === undefined ? told : { ...told, intel_type }))
}

/** Ends the listening that is due in this tick. O(listeners due). */
export const listening: SystemDef = {
  name: 'intel.listen',
  phase: 'produce',
  reads: [Player, Faction],
  writes: [Spy],
  run(world) {
    const due = world.index(DUE)
    const players = due.get(world.tick)
    if (!players) return
    due.delete(world.tick)
    const { seq } = world.read(Player)
    for (const player of players.sort((a, b) => seq[a] - seq[b])) comeBack(world, player)
  },
}
