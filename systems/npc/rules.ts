/**
 * The pirate radio: what crews say to each other, and who overhears it. A system is heard once in a
 * while, and so much in a tick at most. Source: spec, Events; combat.md sections 13, 16.
 */
import { assert } from '../../core/assert.ts'
import {
  CREWS,
  itemIndex,
  type LootDraw,
  type PirateRow,
  RADIO,
  type RadioEvent,
} from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { holdsNoMoreGoods, moveItems, namedContainer } from '../../core/goods.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { RADIO_MESSAGES_PER_TICK_MAX, RADIO_QUIET_TICKS } from '../../core/limits.ts'
import { addPercent, clamp } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { seePlayer } from '../sensing/model.ts'
import { shipId } from '../ship/model.ts'
import { recompute } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { lanesFrom, poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { Location, Poi, StarSystem } from '../travel/state.ts'
import {
  bountyLeft,
  crewIn,
  crewRowIn,
  dayOf,
  isBoss,
  listeners,
  npcName,
  npcOf,
  PIRATE,
  pirateOf,
} from './model.ts'
import { pirateDestroyed, pirateRadio, type WreckNews } from './schemas.ts'
import { CREWS_WIDTH, Helm, Hunter, NPCS_OF, Npc, Outlaw, SAID, SystemNpcs } from './state.ts'

/*
 * The crews of lawless space: which of them a system belongs to, where they sit, and what they
 * think of players.
 */

/** Source: combat.md section 13. */
export const ATTACK_STANDING = -2
export const KILL_STANDING = -5
const STANDING_MAX = 100

/**
 * Writes for each system whose it is, from the strongholds outwards; of two as near the first.
 * Derived from the chart.
 */
export function rebuildCrews(world: World): void {
  const { crew } = world.write(SystemNpcs)
  const { name, stronghold } = world.read(StarSystem)
  const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
  const seats = systems.filter((system) => stronghold[system] === 1)
  const crewOfSeat = (system: Eid): number => {
    const named = world.texts.get(name[system])
    return Math.max(
      0,
      CREWS.findIndex((row) => row.stronghold === named),
    )
  }
  const reached = new Set<Eid>(seats)
  for (const seat of seats) crew[seat] = crewOfSeat(seat)
  let ring = [...seats].sort((a, b) => crew[a] - crew[b])
  while (ring.length > 0) {
    const next: Eid[] = []
    for (const system of ring) {
      for (const to of lanesFrom(world, system)) {
        if (reached.has(to)) continue
        reached.add(to)
        crew[to] = crew[system]
        next.push(to)
      }
    }
    ring = next
  }
}

/** Changes what a crew thinks of a player, within its bounds; the action log has it. */
export function changeStanding(world: World, player: Eid, crew: number, points: number): void {
  const { standing } = world.write(Outlaw)
  const at = player * CREWS_WIDTH + crew
  const before = standing[at]
  standing[at] = clamp(before + points, -STANDING_MAX, STANDING_MAX)
  const change = standing[at] - before
  if (change === 0) return
  const { key, name } = CREWS[crew]
  const said = `Standing with ${name} changed by ${change} to ${standing[at]}.`
  const data = { crew: key, change, standing: standing[at] }
  logAction(world, player, 'reputation', 'pirate_standing', said, data)
}

/** Lowers the standing of a player with the crew that a ship of the server belongs to. */
function resent(world: World, player: Eid, pirate: Eid, points: number): void {
  const npc = world.read(Helm).npc[pirate]
  const { kind, system } = world.read(Npc)
  if (npc === 0 || kind[npc] !== PIRATE || world.read(Ship).owner[pirate] !== 0) return
  changeStanding(world, player, crewIn(world, system[npc]), points)
}

const LINE = hashText('npc.radio')

/** Something to say on the radio. */
interface Message {
  readonly event: RadioEvent
  /** Who speaks. */
  readonly speaker: string
  readonly system: Eid
  /** Where it happens; 0 for nowhere in particular. */
  readonly poi: Eid
  /** The player it is about; 0 nobody. */
  readonly actor: Eid
  /** Durable number that the choice of words hangs on. */
  readonly number: number
  readonly operation?: string
  readonly battle?: string
  readonly reason?: string
}

/** ours: a crew that talks without end is heard by nobody. False when there is no air time. */
function takeAirTime(world: World, system: Eid): boolean {
  const said = world.index(SAID)
  if (said.tick !== world.tick) Object.assign(said, { tick: world.tick, count: 0 })
  const { radioTick } = world.write(SystemNpcs)
  const isQuiet = radioTick[system] === 0 || world.tick >= radioTick[system] + RADIO_QUIET_TICKS
  if (!isQuiet || said.count >= RADIO_MESSAGES_PER_TICK_MAX) return false
  radioTick[system] = world.tick
  said.count++
  return true
}

/** Name of a player as anybody may know it. */
const nameOf = (view: WorldView, player: Eid): string =>
  player !== 0 && seePlayer(view, 0, player) === 'full' ? usernameOf(view, player) : ''

/** Says something on the radio of a crew, if there is air time and anybody to hear it. */
export function broadcast(world: World, message: Message): void {
  const { event, speaker, system, poi, number } = message
  if (!takeAirTime(world, system)) return
  const row = RADIO[event]
  const rows = listeners(world, system, row.jumps)
  if (rows.length === 0) return
  const crew = crewRowIn(world, system)
  const actor = nameOf(world, message.actor)
  const isKnown = poi !== 0 && world.read(Poi).hidden[poi] === 0
  const words: Readonly<Record<string, string>> = {
    name: speaker,
    actor: actor || 'somebody',
    place: isKnown ? poiName(world, poi) : 'a place off the chart',
    system: systemName(world, system),
    crew: crew.name,
  }
  const line = row.lines[hash32(world.seed, world.tick, LINE, number) % row.lines.length]
  const { operation, battle, reason } = message
  const payload = {
    speaker,
    pirate_name: speaker,
    source: systemName(world, system),
    source_system: systemId(world, system),
    faction_key: crew.key,
    faction_name: crew.name,
    primary_color: crew.primaryColor,
    secondary_color: crew.secondaryColor,
    event,
    event_key: event,
    message: line.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? ''),
    provenance: row.provenance,
    category: row.category,
    editorial_class: row.category,
    ...(isKnown ? { source_poi: poiId(world, poi) } : {}),
    ...(actor === '' ? {} : { actor }),
    ...(operation === undefined ? {} : { operation }),
    ...(battle === undefined ? {} : { battle }),
    ...(reason === undefined ? {} : { reason }),
  }
  emit(world, pirateRadio, payload, { kind: 'players', rows })
}

/** Ticks until a stronghold has a boss again. Source: combat.md section 13. */
const BOSS_TICKS = 8_640

interface NewNpc {
  readonly kind: number
  readonly type: number
  readonly system: Eid
}

/** Puts an NPC at the helm of a ship without an owner, and gives the ship its figures. */
export function addNpc(world: World, ship: Eid, plan: NewNpc): Row {
  assert(world.read(Ship).owner[ship] === 0, `ship ${ship} has an owner and an NPC`)
  assert(npcOf(world, ship) === 0, `ship ${ship} has an NPC already`)
  const npc = world.take(Npc)
  const row = world.write(Npc)
  row.ship[npc] = ship
  row.kind[npc] = plan.kind
  row.type[npc] = plan.type
  NPCS_OF.link(world, npc, plan.system)
  world.write(Helm).npc[ship] = npc
  recompute(world, ship)
  return npc
}

/** Takes the NPC off its ship, which keeps the figures of its class: destroyed, or captured. */
export function removeNpc(world: World, ship: Eid): void {
  const npc = npcOf(world, ship)
  assert(npc !== 0, `ship ${ship} has no NPC`)
  const home = world.read(Npc).system[npc]
  if (isBoss(world, ship)) world.write(SystemNpcs).bossTick[home] = world.tick + BOSS_TICKS
  world.write(Helm).npc[ship] = 0
  NPCS_OF.remove(world, npc)
  recompute(world, ship)
}

/* What a pirate's death is worth */

/** A rank of the pirate. Source: missions.md section 5, bounty_hunting. */
const HUNTING_XP = 20
const LOOT = hashText('npc.loot')

/**
 * Fills the hold of a pirate that a player has destroyed, for its wreck. ours: nothing for pirates
 * that nobody hunted, nor beyond the bounty of the day, so that the faucet of goods is bound too.
 */
export function loadLoot(world: World, ship: Eid, hunter: Eid): void {
  const pirate = pirateOf(world, ship)
  if (!pirate || hunter === 0) return
  if (bountyLeft(world, hunter) === 0 || holdsNoMoreGoods(world)) return
  const random = hash32(world.seed, world.tick, LOOT, world.read(Ship).seq[ship])
  for (const [index, draw] of pirate.loot.entries()) drop(world, ship, draw, hash32(random, index))
}

function drop(world: World, ship: Eid, draw: LootDraw, random: number): void {
  if (drawBelow(100, hash32(random, 1)) >= draw.chancePct) return
  const item = itemIndex(draw.items[drawBelow(draw.items.length, hash32(random, 2))])
  assert(item >= 0, `loot names the unknown good ${draw.items.join(', ')}`)
  const units = draw.min + drawBelow(draw.max - draw.min + 1, hash32(random, 3))
  moveItems(world, namedContainer('pirate_loot'), world.read(Ship).hold[ship], item, units)
}

/** Pays the bounty of a pirate, as far as the day's allows; returns the credits. */
function payBounty(world: World, hunter: Eid, ship: Eid, credits: number): number {
  const due = addPercent(credits, levelOf(world, hunter, 'bounty_hunting'))
  const paid = Math.min(due, bountyLeft(world, hunter))
  const wallet = walletOf(world, hunter)
  if (paid === 0 || !canReceive(world, wallet, paid)) return 0
  const { dayStartTick, bountyCredits } = world.write(Hunter)
  if (dayStartTick[hunter] !== dayOf(world.tick)) {
    dayStartTick[hunter] = dayOf(world.tick)
    bountyCredits[hunter] = 0
  }
  bountyCredits[hunter] += paid
  const summary = `Bounty of ${counted(paid, 'credit')} for ${npcName(world, ship)}.`
  const data = { pirate_id: shipId(world, ship) }
  const faucet = namedAccount('pirate_bounty')
  creditMove(world, hunter, faucet, wallet, paid, 'combat', 'bounty', summary, data)
  addStat(world, hunter, 'credits_earned', paid)
  raiseCounter(world, hunter, 'bounty_earned', paid)
  return paid
}

/**
 * Pays a player for a pirate they have destroyed, and tells them. While the NPC still flies the
 * ship; nothing for other ships.
 */
export function rewardHunter(world: World, ship: Eid, hunter: Eid, wreck: WreckNews): void {
  const pirate = pirateOf(world, ship)
  if (hunter === 0) return
  if (!pirate) {
    if (npcOf(world, ship) !== 0) addStat(world, hunter, 'npcs_destroyed', 1)
    return
  }
  resent(world, hunter, ship, KILL_STANDING)
  mourn(world, ship, hunter)
  const credits = payBounty(world, hunter, ship, pirate.bountyCredits)
  const xp = awardXp(world, hunter, 'weapons', pirate.combatXp)
  awardXp(world, hunter, 'bounty_hunting', HUNTING_XP * pirate.rank)
  addStat(world, hunter, 'pirates_destroyed', 1)
  recordProgress(world, hunter, 'kill_pirate', { key: pirate.tier })
  const payload = {
    pirate_id: shipId(world, ship),
    pirate_name: npcName(world, ship),
    pirate_role: pirate.role,
    is_boss: pirate.isBoss,
    credits_earned: credits,
    combat_xp: xp,
    ...wreck,
  }
  emit(world, pirateDestroyed, payload, toPlayer(hunter))
  if (pirate.isBoss) proclaim(world, ship, hunter, pirate)
}

/** Counts a pirate for missions of those who had a good part in its end. missions.md section 2. */
export function countHunted(world: World, ship: Eid, hunters: readonly Eid[]): void {
  const pirate = pirateOf(world, ship)
  if (!pirate) return
  for (const hunter of hunters) recordProgress(world, hunter, 'kill_pirate', { key: pirate.tier })
}

/** The end of a boss is known to everybody in the system, but not where its wreck is. */
function proclaim(world: World, ship: Eid, hunter: Eid, pirate: PirateRow): void {
  const system = world.read(Location).system[ship]
  const killer = seePlayer(world, 0, hunter) === 'full' ? usernameOf(world, hunter) : ''
  const [name, where] = [npcName(world, ship), systemName(world, system)]
  const payload = {
    pirate_id: shipId(world, ship),
    pirate_name: name,
    pirate_role: pirate.role,
    is_boss: true,
    killer,
    system_id: systemId(world, system),
    system_name: where,
    message: `${killer || 'An unknown pilot'} has destroyed ${name} in ${where}.`,
  }
  emit(world, pirateDestroyed, payload, { kind: 'system', row: system })
}

/** The crew hears of a loss. */
function mourn(world: World, ship: Eid, hunter: Eid): void {
  const { system, poi } = world.read(Location)
  broadcast(world, {
    event: isBoss(world, ship) ? 'boss_fallen' : 'lost',
    speaker: npcName(world, ship),
    system: system[ship],
    poi: poi[ship],
    actor: hunter,
    number: world.read(Ship).seq[ship],
    reason: 'destroyed',
  })
}

/** A pirate who has destroyed a player's ship says so. */
export function boast(world: World, killer: Eid, victim: Eid, event: 'kill' | 'plunder'): void {
  if (!pirateOf(world, killer)) return
  const { system, poi } = world.read(Location)
  broadcast(world, {
    event,
    speaker: npcName(world, killer),
    system: system[killer],
    poi: poi[killer],
    actor: victim,
    number: world.read(Ship).seq[killer],
  })
}

/** A crew under attack calls for help, and remembers who did it. */
export function callForHelp(world: World, pirate: Eid, attacker: Eid, battle: string): void {
  if (!pirateOf(world, pirate)) return
  resent(world, attacker, pirate, ATTACK_STANDING)
  const { system, poi } = world.read(Location)
  broadcast(world, {
    event: 'mayday',
    speaker: npcName(world, pirate),
    system: system[pirate],
    poi: poi[pirate],
    actor: attacker,
    number: world.read(Ship).seq[pirate],
    battle,
    reason: 'under_attack',
  })
}
