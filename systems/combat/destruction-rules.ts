/**
 * The destruction of ships: wreck and insurance, what the loss costs its pilot, rewards, events.
 * Source: combat.md section 15, salvage.md sections 2, 6.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { contentsOf, type Held } from '../../core/goods.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { areAllied, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { baseId } from '../base/model.ts'
import { dropsOf, isCreature } from '../creature/model.ts'
import { endCreature, rewardHunt } from '../creature/rules.ts'
import { isActOfWar } from '../diplomacy/model.ts'
import { recordWarKill } from '../diplomacy/rules.ts'
import { destroyDrone, loseBays, scrapBays } from '../drone/lifecycle-rules.ts'
import { droneOf, isDrone } from '../drone/model.ts'
import { tuned } from '../empire/balance-model.ts'
import { areRelated } from '../insurance/model.ts'
import { payClaim, recordDeath, recordPlayerKill } from '../insurance/rules.ts'
import { chargeKill } from '../law/crimes-rules.ts'
import { jurisdictionOf } from '../law/model.ts'
import { collectBounty } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { isPolice, npcOf } from '../npc/model.ts'
import { announceKill } from '../npc/radio-rules.ts'
import { loadLoot, recordHunts, rewardHunter } from '../npc/reward-rules.ts'
import { removeNpc } from '../npc/rules.ts'
import { losePrize } from '../prize/rules.ts'
import { makeCarcass, makeWreck, scrapHold } from '../salvage/make-rules.ts'
import { goodsOf } from '../salvage/model.ts'
import { cutTow } from '../salvage/tow-rules.ts'
import { shipClassOf } from '../ship/model.ts'
import { releaseShip } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { stationOf } from '../siege/model.ts'
import { wreckStation } from '../siege/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { removeFromMap } from '../travel/rules.ts'
import { Location } from '../travel/state.ts'
import { release } from './battles-rules.ts'
import {
  bountyShares,
  type Death,
  describeWreck,
  selfDestructFee,
  wreckPlace,
} from './destruction-model.ts'
import { respawn } from './rules.ts'
import { playerDied, playerKill } from './schemas.ts'
import { Participant, PlayerCombat, SELF_DESTRUCTS_COUNTED } from './state.ts'

/** XP of destroying the ship of a player. Source: missions.md section 5. */
const PIRACY_XP = 50

interface Fee {
  readonly credits: number
  readonly isPaid: boolean
}
const NO_FEE: Fee = { credits: 0, isPaid: true }

/** Counts a self-destruct and takes its fee; unpaid, the player may not trade for a day. */
function chargeSelfDestruct(world: World, player: Eid): Fee {
  const { selfDestructTicks, restrictedUntil } = world.write(PlayerCombat)
  const from = player * SELF_DESTRUCTS_COUNTED
  const last = selfDestructTicks.subarray(from, from + SELF_DESTRUCTS_COUNTED)
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
  } else restrictedUntil[player] = world.tick + DAY_TICKS
  return { credits, isPaid }
}

/** Takes the price of the new body; nothing from those who cannot pay it. */
function chargeClone(world: World, player: Eid, tier: number): Fee {
  const credits = tuned(world, 'clone_credits') * tier * tier
  const wallet = walletOf(world, player)
  if (balanceOf(world, wallet) < credits) return { credits: 0, isPaid: false }
  const summary = `A new body for ${counted(credits, 'credit')}.`
  creditMove(world, player, wallet, namedAccount('cloning'), credits, 'ship', 'clone', summary)
  return { credits, isPaid: true }
}

/** Tops up a wallet to the minimum, at most once a day. */
function giveFloor(world: World, player: Eid): void {
  const { floorTick } = world.write(PlayerCombat)
  const wallet = walletOf(world, player)
  const missing = tuned(world, 'wallet_floor_credits') - balanceOf(world, wallet)
  const isTooSoon = floorTick[player] !== 0 && world.tick - floorTick[player] < DAY_TICKS
  if (missing <= 0 || isTooSoon) return
  floorTick[player] = world.tick
  const from = namedAccount('credit_floor')
  const summary = `${counted(missing, 'credit')} to begin again with.`
  creditMove(world, player, from, wallet, missing, 'ship', 'credit_floor', summary)
}

/** Collects the bounty on a player destroyed by police: they pay, or are detained. */
function collectByPolice(world: World, player: Eid, ship: Eid): void {
  const empire = jurisdictionOf(world, world.read(Location).system[ship])
  if (empire >= 0) collectBounty(world, player, empire)
}

/* Events and rewards */

const causeOf = ({ isSelfDestruct, killer }: Death): string =>
  isSelfDestruct ? 'self_destruct' : (killer?.kind ?? 'burned')

interface Loss extends Remains {
  readonly base: Eid
  readonly clone: Fee
  readonly fee: Fee
}

function notifyVictim(world: World, death: Death, { wreck, payout, base, clone, fee }: Loss): void {
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

/** Gives the killer what is due: an event, a count, a bounty, experience. */
function rewardKiller(world: World, death: Death, wreck: Row): void {
  const killer = death.killer?.player ?? 0
  if (killer === 0) return
  if (isCreature(world, death.ship)) {
    rewardHunt(world, death.ship, killer)
    return
  }
  addStat(world, killer, 'ships_destroyed', 1)
  const remains = describeWreck(world, killer, wreck)
  const message = `Destroyed ${death.name || 'an unknown ship'}.`
  const shipClass = shipClassOf(world, death.ship).id
  logAction(world, killer, 'combat', 'kill', message, { ship_class: shipClass })
  if (death.player === 0) {
    rewardHunter(world, death.ship, killer, remains, bountyShares(world, death.row, killer))
    return
  }
  // Neither an ally's ship nor an act of war teaches piracy. Source: missions.md section 5.
  const isLesson =
    !areAllied(world, killer, death.player) && !isActOfWar(world, killer, death.player)
  if (isLesson) awardXp(world, killer, 'piracy', PIRACY_XP, 'pvp')
  recordPlayerKill(world, killer)
  recordWarKill(world, killer, death.player)
  recordProgress(world, killer, 'kill_player', { key: world.read(Player).seq[death.player] })
  emit(world, playerKill, { victim: death.name, ...remains }, toPlayer(killer))
}

/* The loss as a whole */

interface Ended {
  /** 0: none is left. */
  readonly wreck: Row
  /** Fee of a self-destruct. */
  readonly fee: Fee
}

function countLoss(world: World, death: Death): void {
  addStat(world, death.player, 'ships_lost', 1)
  addStat(world, death.player, 'times_destroyed', 1)
  recordDeath(world, death.player)
  const { killer, isSelfDestruct } = death
  if (isSelfDestruct) {
    addStat(world, death.player, 'self_destructs', 1)
    addStat(world, death.player, 'deaths_by_self_destruct', 1)
  } else if (killer?.kind === 'player') addStat(world, death.player, 'deaths_by_player', 1)
  else if (killer?.kind === 'pirate') addStat(world, death.player, 'deaths_by_pirate', 1)
  else if (killer?.kind === 'creature') addStat(world, death.player, 'deaths_by_wildlife', 1)
}

/**
 * Ends a drone, which leaves no wreck; what it carried is adrift. Source: drones.md section 3.6.
 */
function endDrone(world: World, { row, ship, killer }: Death): Ended {
  if (row !== 0) release(world, row, 'destroyed')
  destroyDrone(world, droneOf(world, ship), killer?.id ?? '')
  return { wreck: 0, fee: NO_FEE }
}

/** Wrecks a station whose hull is gone; the station itself stays. */
function endStation(world: World, { incident, row, ship, killer }: Death): Ended {
  if (incident) chargeKill(world, incident, world.read(Participant).battle[row])
  release(world, row, 'destroyed')
  wreckStation(world, {
    ship,
    killerId: killer?.id ?? '',
    killerName: killer?.name ?? '',
    killer: killer?.player ?? 0,
  })
  return { wreck: 0, fee: NO_FEE }
}

/** Destroys a ship that is lost, in a battle or by its pilot's own hand, with all that follows. */
export function destroyShip(world: World, death: Death): Ended {
  const { row, ship, player, killer, isSelfDestruct } = death
  if (isDrone(world, ship)) return endDrone(world, death)
  if (stationOf(world, ship) !== 0) return endStation(world, death)
  const isOwnDoing = isSelfDestruct && player !== 0
  const fee = isOwnDoing ? chargeSelfDestruct(world, player) : NO_FEE
  loadLoot(world, ship, killer?.player ?? 0)
  const { wreck, payout } = leaveRemains(world, death, fee.isPaid && !isPolice(world, ship))
  if (death.incident) chargeKill(world, death.incident, world.read(Participant).battle[row])
  if (player !== 0) {
    if (killer?.kind === 'police') collectByPolice(world, player, ship)
    const clone = chargeClone(world, player, shipClassOf(world, ship).tier)
    if (!isSelfDestruct) giveFloor(world, player)
    const base = respawn(world, player, clone.isPaid)
    countLoss(world, death)
    if (killer) announceKill(world, world.read(Participant).ship[killer.row], player, 'kill')
    notifyVictim(world, death, { wreck, payout, base, clone, fee })
  }
  recordHunts(world, ship, death.hunters)
  rewardKiller(world, death, wreck)
  if (row !== 0) release(world, row, 'destroyed')
  if (npcOf(world, ship) !== 0) removeNpc(world, ship)
  if (isCreature(world, ship)) endCreature(world, ship)
  losePrize(world, ship, wreck)
  removeFromMap(world, ship)
  releaseShip(world, ship)
  return { wreck, fee }
}

/*
 * Remains: first the wreck, then the payout of the insurance. A ship in tow is lost with its tug.
 */

interface Remains {
  /** 0: none is left. */
  readonly wreck: Row
  /** Credits paid to the owner. */
  readonly payout: number
}

/** Names victim and killer as a wreck does. */
const partiesOf = ({ id, name, killer }: Death) => ({
  victimId: id,
  victimName: name,
  killerId: killer?.id ?? '',
  killerName: killer?.name ?? '',
})

const worthOf = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)

/** Returns whether the insurance pays for a loss. Source: ships.md section 9. */
function isCovered({ row, player, killer, isSelfDestruct }: Death, world: World): boolean {
  if (isSelfDestruct && row === 0) return false
  return !areRelated(world, killer?.player ?? 0, player)
}

/** Leaves the wreck of one hull, unless that is suppressed, and pays its claim. */
function loseHull(world: World, ship: Eid, death: Death, leavesWreck: boolean): Remains {
  const aboard = worthOf(contentsOf(world, world.read(Ship).hold[ship]))
  const bays = leavesWreck ? loseBays(world, ship) : []
  const wreck = leavesWreck
    ? makeWreck(world, {
        ship,
        poi: death.poi,
        ...partiesOf(death),
        isNpc: npcOf(world, ship) !== 0,
        bays,
      })
    : 0
  if (!leavesWreck) {
    scrapHold(world, ship)
    scrapBays(world, ship)
  }
  const saved = wreck === 0 ? 0 : worthOf(goodsOf(world, wreck)) - worthOf(bays)
  const cargoValue = aboard - saved
  const payout = payClaim(world, { ship, cargoValue, isCovered: isCovered(death, world) })
  return { wreck, payout }
}

/** Leaves the carcass of a creature, to be harvested by its killer. */
function leaveCarcass(world: World, death: Death): Row {
  const { ship, poi, name, killer } = death
  if (poi === 0) return 0
  const drops = dropsOf(world, ship, killer?.player ?? 0)
  return makeCarcass(world, { poi, name, ...partiesOf(death) }, 'wildlife', drops)
}

/** Leaves the remains of a ship, and of what it had in tow; adrift there is no wreck. */
function leaveRemains(world: World, death: Death, mayLeave: boolean): Remains {
  const leavesWreck = mayLeave && death.poi !== 0
  if (isCreature(world, death.ship)) return { wreck: leaveCarcass(world, death), payout: 0 }
  const towed = cutTow(world, death.ship)
  const own = loseHull(world, death.ship, death, leavesWreck)
  if (towed === 0) return own
  const { payout } = loseHull(world, towed, death, leavesWreck)
  releaseShip(world, towed)
  return { wreck: own.wreck, payout: own.payout + payout }
}
