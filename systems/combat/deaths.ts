/**
 * Death: the wreck, what it costs to wake up again, the issue ship at home, and who is told.
 * Source: combat.md section 15, salvage.md section 2.
 */
import { emit, toPlayer } from '../../core/event.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import type { Static } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { addStat, areAllied, walletOf } from '../account/rules.ts'
import { baseId } from '../base/rules.ts'
import { endCreature, isCreature, rewardHunt } from '../creature/rules.ts'
import { noteWarKill } from '../diplomacy/rules.ts'
import { destroyDrone, droneOf, isDrone, masterOf } from '../drone/rules.ts'
import { noteDeath, notePlayerKill } from '../insurance/rules.ts'
import { chargeKill, type Deed } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { noteProgress } from '../mission/progress-rules.ts'
import {
  boast,
  countHunted,
  dismiss,
  isPolice,
  loadLoot,
  npcOf,
  rewardHunter,
} from '../npc/rules.ts'
import { losePrize } from '../prize/rules.ts'
import { Ship } from '../ship/columns.ts'
import { releaseShip, shipClassOf } from '../ship/rules.ts'
import { wreckStation } from '../siege/rules.ts'
import { stationOf } from '../siege/station-rules.ts'
import { awardXp } from '../skill/rules.ts'
import { Location } from '../travel/columns.ts'
import { poiName, systemName, unplace } from '../travel/rules.ts'
import { kindOf, type ParticipantKind, release } from './battles.ts'
import { Lives, Participant, SELF_DESTRUCTS_COUNTED } from './columns.ts'
import { collectByPolice, destructionOf } from './crimes.ts'
import { type combatLogSchema, playerDied, playerKill } from './events.ts'
import { leaveRemains, type Remains } from './losses.ts'
import { huntersOf } from './maulings.ts'
import { combatantId, combatantName, pilotOf, pilotSign } from './views.ts'
import { wakeAtHome } from './waking.ts'
import { wreckNews, wreckPlace } from './wreck-news.ts'

const WALLET_FLOOR_CREDITS = 100
const CLONE_CREDITS = 50
const FEE_FIRST_CREDITS = 500
const FEE_MOST_CREDITS = 50_000
/** XP of destroying the ship of a player. Source: missions.md section 5. */
const PIRACY_XP = 50

/** A ship about to be lost; gathered before any row of the battle is given back. */
export interface Death {
  /** 0 out of a battle. */
  readonly row: Row
  readonly ship: Eid
  /** 0 for an NPC. */
  readonly player: Eid
  readonly id: string
  readonly name: string
  /** Where the wreck drifts: of a traveller the place it left. */
  readonly poi: Eid
  readonly isSelfDestruct: boolean
  readonly killer: Killer | undefined
  /** Of a pirate: players who had a good part in it, besides the killer. */
  readonly hunters: readonly Eid[]
  /** What the law makes of it, judged before anyone is gone. */
  readonly deed: Deed | undefined
  readonly log: Static<typeof combatLogSchema>
}

export interface Killer {
  readonly row: Row
  readonly player: Eid
  readonly id: string
  readonly name: string
  readonly kind: ParticipantKind
  readonly shipClass: string
}

function killerOf(view: WorldView, row: Row): Killer | undefined {
  const killer = view.read(Participant).killer[row]
  if (killer === 0 || killer === row) return undefined
  return {
    row: killer,
    player: pilotOf(view, killer) || masterOf(view, view.read(Participant).ship[killer]),
    id: combatantId(view, killer),
    name: combatantName(view, killer),
    kind: kindOf(view, killer),
    shipClass: shipClassOf(view, view.read(Participant).ship[killer]).id,
  }
}

/** What is known of a loss before anything of it happens. */
export function describeDeath(
  view: WorldView,
  row: Row,
  { isSelfDestruct, hits = {} }: { isSelfDestruct: boolean; hits?: Record<string, number> },
): Death {
  const { ship, joinTick, taken, hullTaken } = view.read(Participant)
  const { poi, fromPoi, system } = view.read(Location)
  const place = poi[ship[row]] || fromPoi[ship[row]]
  const killer = isSelfDestruct ? undefined : killerOf(view, row)
  const by = killer === undefined ? '' : ` by ${killer.name || 'an unknown ship'}`
  return {
    row,
    ship: ship[row],
    player: pilotOf(view, row),
    id: combatantId(view, row),
    name: combatantName(view, row),
    poi: place,
    isSelfDestruct,
    killer,
    hunters: huntersOf(view, row, killer?.player ?? 0),
    deed: killer && destructionOf(view, killer.row, row),
    log: {
      combat_rounds: view.tick - joinTick[row] + 1,
      death_location: poiName(view, place),
      death_system: systemName(view, system[ship[row]]),
      hull_damage: hullTaken[row],
      shield_damage: taken[row] - hullTaken[row],
      total_damage: taken[row],
      message: isSelfDestruct ? 'The ship destroyed itself.' : `The ship was destroyed${by}.`,
      ...(killer === undefined ? {} : { attacker_ship: killer.shipClass }),
      ...(Object.keys(hits).length === 0 ? {} : { weapons_used: hits }),
    },
  }
}

/** A ship that its pilot destroys out of a battle; adrift it leaves no wreck anybody could find. */
export function describeScuttling(view: WorldView, ship: Eid): Death {
  const { poi, system } = view.read(Location)
  const player = view.read(Ship).owner[ship]
  const { id, name } = pilotSign(view, player, ship)
  return {
    row: 0,
    ship,
    player,
    id,
    name,
    poi: poi[ship],
    isSelfDestruct: true,
    killer: undefined,
    hunters: [],
    deed: undefined,
    log: {
      combat_rounds: 0,
      death_location: poi[ship] === 0 ? 'deep space' : poiName(view, poi[ship]),
      death_system: systemName(view, system[ship]),
      hull_damage: 0,
      shield_damage: 0,
      total_damage: 0,
      message: 'The ship destroyed itself.',
    },
  }
}

/* Money */

/** Credits of the n-th self-destruct of a day. */
export function selfDestructFee(n: number): number {
  if (n <= 1) return 0
  return Math.min(FEE_MOST_CREDITS, FEE_FIRST_CREDITS * 2 ** (n - 2))
}

interface Fee {
  readonly credits: number
  readonly isPaid: boolean
}

/** Counts a self-destruct and takes its fee; unpaid, the player may not trade for a day. */
function chargeSelfDestruct(world: World, player: Eid): Fee {
  const lives = world.write(Lives)
  const from = player * SELF_DESTRUCTS_COUNTED
  const last = lives.selfDestructTicks.subarray(from, from + SELF_DESTRUCTS_COUNTED)
  const recent = last.filter((tick) => tick !== 0 && world.tick - tick < DAY_TICKS).length
  last.copyWithin(1, 0)
  last[0] = world.tick
  const credits = selfDestructFee(recent + 1)
  const wallet = walletOf(world, player)
  const isPaid = balanceOf(world, wallet) >= credits
  if (isPaid) {
    const summary = `Fee of ${counted(credits, 'credit')} for self-destruct ${recent + 1} of the day.`
    const sink = namedAccount('fee_sink')
    creditMove(world, player, wallet, sink, credits, 'ship', 'self_destruct_fee', summary)
  } else lives.restrictedUntil[player] = world.tick + DAY_TICKS
  return { credits, isPaid }
}

/** Takes what the new body costs, or nothing from those who cannot pay. */
function chargeClone(world: World, player: Eid, tier: number): Fee {
  const credits = CLONE_CREDITS * tier * tier
  const wallet = walletOf(world, player)
  if (balanceOf(world, wallet) < credits) return { credits: 0, isPaid: false }
  const summary = `A new body for ${counted(credits, 'credit')}.`
  creditMove(world, player, wallet, namedAccount('cloning'), credits, 'ship', 'clone', summary)
  return { credits, isPaid: true }
}

/** Fills an empty wallet up a little, once a day. */
function giveFloor(world: World, player: Eid): void {
  const { floorTick } = world.write(Lives)
  const wallet = walletOf(world, player)
  const missing = WALLET_FLOOR_CREDITS - balanceOf(world, wallet)
  const isTooSoon = floorTick[player] !== 0 && world.tick - floorTick[player] < DAY_TICKS
  if (missing <= 0 || isTooSoon) return
  floorTick[player] = world.tick
  const from = namedAccount('credit_floor')
  const summary = `${counted(missing, 'credit')} to begin again with.`
  creditMove(world, player, from, wallet, missing, 'ship', 'credit_floor', summary)
}

/* Telling */

const causeOf = ({ isSelfDestruct, killer }: Death): string =>
  isSelfDestruct ? 'self_destruct' : (killer?.kind ?? 'burned')

interface Loss extends Remains {
  readonly base: Eid
  readonly clone: Fee
  readonly fee: Fee
}

function tellVictim(world: World, death: Death, { wreck, payout, base, clone, fee }: Loss): void {
  const { player, killer, isSelfDestruct } = death
  const shipClass = shipClassOf(world, death.ship).id
  emit(
    world,
    playerDied,
    {
      ...(killer ? { killer_id: killer.id, killer_name: killer.name } : {}),
      respawn_base: baseId(world, base),
      cause: causeOf(death),
      combat_log: death.log,
      clone_cost: clone.credits,
      insurance_payout: payout,
      ship_lost: shipClass,
      ...wreckPlace(world, player, wreck),
      ...(isSelfDestruct ? { self_destruct_fee: fee.isPaid ? fee.credits : 0 } : {}),
      ...(isSelfDestruct && !fee.isPaid ? { wreck_suppressed: true } : {}),
    },
    toPlayer(player),
  )
  logAction(world, player, 'combat', 'died', death.log.message, { ship_class: shipClass })
}

/** What a player gets of a ship he destroyed: the news, a count, bounty, experience. */
function rewardKiller(world: World, death: Death, wreck: Row): void {
  const killer = death.killer?.player ?? 0
  if (killer === 0) return
  if (isCreature(world, death.ship)) {
    rewardHunt(world, death.ship, killer)
    return
  }
  addStat(world, killer, 'ships_destroyed', 1)
  const news = wreckNews(world, killer, wreck)
  const said = `Destroyed ${death.name || 'an unknown ship'}.`
  const shipClass = shipClassOf(world, death.ship).id
  logAction(world, killer, 'combat', 'kill', said, { ship_class: shipClass })
  if (death.player === 0) {
    rewardHunter(world, death.ship, killer, news)
    return
  }
  // one's own people teach nothing: missions.md section 5
  if (!areAllied(world, killer, death.player)) awardXp(world, killer, 'piracy', PIRACY_XP, 'pvp')
  notePlayerKill(world, killer)
  noteWarKill(world, killer, death.player)
  noteProgress(world, killer, 'kill_player', { key: world.read(Player).seq[death.player] })
  emit(world, playerKill, { victim: death.name, ...news }, toPlayer(killer))
}

/* All of it */

function countLoss(world: World, death: Death): void {
  addStat(world, death.player, 'ships_lost', 1)
  addStat(world, death.player, 'times_destroyed', 1)
  noteDeath(world, death.player)
  const { killer, isSelfDestruct } = death
  if (isSelfDestruct) {
    addStat(world, death.player, 'self_destructs', 1)
    addStat(world, death.player, 'deaths_by_self_destruct', 1)
  } else if (killer?.kind === 'player') addStat(world, death.player, 'deaths_by_player', 1)
  else if (killer?.kind === 'pirate') addStat(world, death.player, 'deaths_by_pirate', 1)
  else if (killer?.kind === 'creature') addStat(world, death.player, 'deaths_by_wildlife', 1)
}

/** A drone leaves no wreck; what it carried is adrift. Source: drones.md section 3.6. */
function buryDrone(world: World, { row, ship, killer }: Death): { wreck: Row; fee: Fee } {
  if (row !== 0) release(world, row, 'destroyed')
  destroyDrone(world, droneOf(world, ship), killer?.id ?? '')
  return { wreck: 0, fee: { credits: 0, isPaid: true } }
}

/** The end of a station's hull: it is wrecked and stays. */
function endStation(world: World, { deed, row, ship, killer }: Death): void {
  if (deed) chargeKill(world, deed, world.read(Participant).battle[row])
  const by = { killerId: killer?.id ?? '', killerName: killer?.name ?? '' }
  release(world, row, 'destroyed')
  wreckStation(world, { ship, ...by, killer: killer?.player ?? 0 })
}

/**
 * Ends a ship that was lost, in a battle or by its pilot's own hand, with all that follows. Returns
 * its wreck, 0 none, and what a self-destruct cost.
 */
export function bury(world: World, death: Death): { wreck: Row; fee: Fee } {
  const { row, ship, player, killer, isSelfDestruct } = death
  if (isDrone(world, ship)) return buryDrone(world, death)
  if (stationOf(world, ship) !== 0) {
    endStation(world, death)
    return { wreck: 0, fee: { credits: 0, isPaid: true } }
  }
  const isOwnDoing = isSelfDestruct && player !== 0
  const fee = isOwnDoing ? chargeSelfDestruct(world, player) : { credits: 0, isPaid: true }
  loadLoot(world, ship, killer?.player ?? 0)
  const { wreck, payout } = leaveRemains(world, death, fee.isPaid && !isPolice(world, ship))
  if (death.deed) chargeKill(world, death.deed, world.read(Participant).battle[row])
  if (player !== 0) {
    if (killer?.kind === 'police') collectByPolice(world, player, ship)
    const clone = chargeClone(world, player, shipClassOf(world, ship).tier)
    if (!isSelfDestruct) giveFloor(world, player)
    const base = wakeAtHome(world, player, clone.isPaid)
    countLoss(world, death)
    if (killer) boast(world, world.read(Participant).ship[killer.row], player, 'kill')
    tellVictim(world, death, { wreck, payout, base, clone, fee })
  }
  countHunted(world, ship, death.hunters)
  rewardKiller(world, death, wreck)
  if (row !== 0) release(world, row, 'destroyed')
  if (npcOf(world, ship) !== 0) dismiss(world, ship)
  if (isCreature(world, ship)) endCreature(world, ship)
  losePrize(world, ship, wreck)
  unplace(world, ship)
  releaseShip(world, ship)
  return { wreck, fee }
}
