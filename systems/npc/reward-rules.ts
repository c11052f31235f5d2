/** What a pirate's destruction is worth: bounty, experience, missions, and the loot in its wreck. */
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

/** For each rank of the pirate. Source: missions.md section 5, bounty_hunting. */
const HUNTING_XP = 20

const LOOT_SEED = hashText('npc.loot')

/**
 * Loads loot into the hold of a pirate that a player has destroyed, for its wreck. ours: none
 * without a hunter or past their bounty of the day, so that the faucet of goods is bounded too.
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

/** A player's part in a bounty: this many points of all that are paid for. */
interface Share {
  readonly player: Eid
  readonly points: number
}

/** Pays each their part of a bounty; returns the credits paid to one of them. */
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

/** Returns what a season makes of a bounty where a ship is: the lawless go by the free stations. */
function seasonalBounty(view: WorldView, ship: Eid, credits: number): number {
  const empire = view.read(StarSystem).empire[view.read(Location).system[ship]]
  const region = empire === 0 ? FREE_STATIONS : empire - 1
  return mulDivFloor(credits, bountyPct(view, region), 100)
}

/** Pays the bounty of a pirate, up to what is left for the day; returns the credits paid. */
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
 * Rewards and notifies a player who has destroyed a pirate; counts other NPCs alone. The bounty
 * goes to those who share in it. Must run while the NPC is still the pilot of the ship.
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

/** Counts a pirate for missions of all who shared in the kill. Source: missions.md section 2. */
export function recordHunts(world: World, ship: Eid, hunters: readonly Eid[]): void {
  const pirate = pirateOf(world, ship)
  if (!pirate) return
  for (const hunter of hunters) recordProgress(world, hunter, 'kill_pirate', { key: pirate.tier })
}

/** Notifies everybody in the system of the end of a boss, without the place of its wreck. */
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
