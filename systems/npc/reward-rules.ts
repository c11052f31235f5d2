/** Rewards for destroying a pirate: bounty, experience, mission progress, and loot in its wreck. */
import { assert } from '../../core/assert.ts'
import { itemIndex, type LootDraw, type PirateRow } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { holdsNoMoreGoods, moveItems, namedContainer } from '../../core/goods.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { addPercent, mulDivFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { counted } from '../../core/say.ts'
import { dayStartOf } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { governed } from '../account/governor-model.ts'
import { usernameOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { creditMove } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { bountyPct, FREE_STATIONS } from '../season/model.ts'
import { seePlayer } from '../sensing/model.ts'
import { shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { systemId, systemName } from '../travel/model.ts'
import { Location, StarSystem } from '../travel/state.ts'
import { bountyLeft, npcName, npcOf, pirateOf } from './model.ts'
import { announceLoss } from './radio-rules.ts'
import { KILL_STANDING, lowerStanding } from './rules.ts'
import { pirateDestroyed, type WreckInfo } from './schemas.ts'
import { Hunter } from './state.ts'

/** Experience for each rank of the pirate. Source: missions.md section 5, bounty_hunting. */
const HUNTING_XP = 20

const LOOT_SEED = hashText('npc.loot')

/**
 * Loads loot into the hold of a destroyed pirate, so that its wreck contains it. ours: there is
 * none if no player destroyed it, or once they have reached their daily bounty limit, so that the
 * supply of goods is limited too.
 */
export function loadLoot(world: World, ship: Eid, hunter: Eid): void {
  const pirate = pirateOf(world, ship)
  if (!pirate || hunter === 0) return
  if (bountyLeft(world, hunter) === 0 || holdsNoMoreGoods(world)) return
  const random = hash32(world.seed, world.tick, LOOT_SEED, world.read(Ship).seq[ship])
  for (const [index, draw] of pirate.loot.entries())
    addLoot(world, ship, draw, hash32(random, index))
}

function addLoot(world: World, ship: Eid, draw: LootDraw, random: number): void {
  if (drawBelow(100, hash32(random, 1)) >= draw.chancePct) return
  const item = itemIndex(draw.items[drawBelow(draw.items.length, hash32(random, 2))])
  assert(item >= 0, `loot names the unknown good ${draw.items.join(', ')}`)
  const units = draw.min + drawBelow(draw.max - draw.min + 1, hash32(random, 3))
  moveItems(world, namedContainer('pirate_loot'), world.read(Ship).hold[ship], item, units)
}

/** A player's share of a bounty, in proportion to the points of all. */
interface Share {
  readonly player: Eid
  readonly points: number
}

/** Pays each player their share of a bounty; returns the credits paid to `hunter`. */
function splitBounty(
  world: World,
  ship: Eid,
  credits: number,
  shares: readonly Share[],
  hunter: Eid,
): number {
  const points = shares.reduce((sum, share) => sum + share.points, 0)
  let own = 0
  for (const share of shares) {
    const part = mulDivFloor(credits, share.points, points)
    const paid = payBounty(world, share.player, ship, part)
    if (share.player === hunter) own = paid
  }
  return own
}

/**
 * Returns a bounty after the season's adjustment where a ship is; lawless space has that of the
 * free stations.
 */
function seasonalBounty(view: WorldView, ship: Eid, credits: number): number {
  const empire = view.read(StarSystem).empire[view.read(Location).system[ship]]
  const region = empire === 0 ? FREE_STATIONS : empire - 1
  return mulDivFloor(credits, bountyPct(view, region), 100)
}

/** Pays a pirate's bounty, up to what is left of the daily limit; returns the credits paid. */
function payBounty(world: World, hunter: Eid, ship: Eid, credits: number): number {
  const usual = addPercent(credits, levelOf(world, hunter, 'bounty_hunting'))
  const due = governed(world, seasonalBounty(world, ship, usual))
  const paid = Math.min(due, bountyLeft(world, hunter))
  const wallet = walletOf(world, hunter)
  if (paid === 0 || !canReceive(world, wallet, paid)) return 0
  const { dayStartTick, bountyCredits } = world.write(Hunter)
  if (dayStartTick[hunter] !== dayStartOf(world.tick)) {
    dayStartTick[hunter] = dayStartOf(world.tick)
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
 * Rewards and notifies a player who has destroyed a pirate, and divides its bounty among `shares`.
 * For other NPCs only a statistic is counted. Must run while the NPC is still the ship's pilot.
 */
export function rewardHunter(
  world: World,
  ship: Eid,
  hunter: Eid,
  wreck: WreckInfo,
  shares: readonly Share[] = [{ player: hunter, points: 1 }],
): void {
  const pirate = pirateOf(world, ship)
  if (hunter === 0) return
  if (!pirate) {
    if (npcOf(world, ship) !== 0) addStat(world, hunter, 'npcs_destroyed', 1)
    return
  }
  lowerStanding(world, hunter, ship, KILL_STANDING)
  announceLoss(world, ship, hunter)
  const credits = splitBounty(world, ship, pirate.bountyCredits, shares, hunter)
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
  if (pirate.isBoss) notifyBossDestroyed(world, ship, hunter, pirate)
}

/** Counts a kill for the missions of all who took part in it. Source: missions.md section 2. */
export function recordHunts(world: World, ship: Eid, hunters: readonly Eid[]): void {
  const pirate = pirateOf(world, ship)
  if (!pirate) return
  for (const hunter of hunters) recordProgress(world, hunter, 'kill_pirate', { key: pirate.tier })
}

/** Notifies everybody in the system that a boss was destroyed, without the place of its wreck. */
function notifyBossDestroyed(world: World, ship: Eid, hunter: Eid, pirate: PirateRow): void {
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
