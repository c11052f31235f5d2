/**
 * Customs: whoever jumps into a border system of an empire is scanned by its customs ships there.
 * Contraband is seized and fined; a fine that is not paid is owed. Source: combat.md section 12;
 * factions.md section 10.
 */
import { EMPIRE_NPCS, EMPIRES, GOODS } from '../../core/catalog/index.ts'
import { contentsOf, type Held, namedContainer } from '../../core/goods.ts'
import { balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import { BOUNTY_CREDITS_MAX } from '../../core/limits.ts'
import { mulDivFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { addStat, walletOf } from '../account/rules.ts'
import { empireTreasury } from '../base/rules.ts'
import { unloadCargo } from '../cargo/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { creditMove } from '../log/rules.ts'
import { Npc } from '../npc/columns.ts'
import { EMPIRE_SHIP, npcsOf } from '../npc/rules.ts'
import { Package } from '../package/columns.ts'
import { destroyPackage, packagesIn } from '../package/rules.ts'
import { cloakOf } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { awardXp, levelOf } from '../skill/rules.ts'
import { Lane, StarSystem } from '../travel/columns.ts'
import { addBounty, tellNotice } from './debts.ts'
import { lawOf, placeOf } from './warrants.ts'

/** Scanner power of customs ships. Source: combat.md section 12. */
const SCANNER_POWER = 40
/** Source: missions.md section 5, stealth. */
const EVASION_XP = 20
const BPS = 10_000
const EVASION = hashText('law.evasion')
/** What helps past customs, 1 % a level. Source: missions.md section 5. */
const EVASION_SKILLS = ['smuggling', 'stealth', 'piracy'] as const

/** True for a system of an empire with a lane to where that empire does not rule. */
export function isBorder(view: WorldView, system: Eid): boolean {
  const { empire, firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  if (lawOf(view, system) < 0) return false
  for (let lane = firstLane[system]; lane < firstLane[system] + laneCount[system]; lane++) {
    if (empire[to[lane]] !== empire[system]) return true
  }
  return false
}

/** True while a customs ship is on duty in a system: one that fights looks at nobody. */
function isGuarded(view: WorldView, system: Eid): boolean {
  const { kind, type, ship } = view.read(Npc)
  const { participant } = view.read(Fighting)
  return npcsOf(view, system).some(
    (npc) =>
      kind[npc] === EMPIRE_SHIP &&
      EMPIRE_NPCS[type[npc]].role === 'customs' &&
      participant[ship[npc]] === 0,
  )
}

const isBanned = (empire: number, item: number): boolean =>
  EMPIRES[empire].policy.contraband_items.includes(GOODS[item].id)

/** What of a container an empire bans, in the order of goods. */
const bannedIn = (view: WorldView, container: Row, empire: number): Held[] =>
  contentsOf(view, container).filter(({ item }) => isBanned(empire, item))

interface Contraband {
  readonly loose: readonly Held[]
  /** One unit in it, and the whole package goes. Source: trade-storage.md section 5. */
  readonly packages: readonly Row[]
  /** All that is banned, in packages too: what is fined. */
  readonly units: readonly Held[]
}

function contrabandIn(view: WorldView, ship: Eid, empire: number): Contraband {
  const { manifest } = view.read(Package)
  const hold = view.read(Ship).hold[ship]
  const loose = bannedIn(view, hold, empire)
  const inside = packagesIn(view, hold).map(
    (pkg) => [pkg, bannedIn(view, manifest[pkg], empire)] as const,
  )
  const packages = inside.filter(([, held]) => held.length > 0).map(([pkg]) => pkg)
  return { loose, packages, units: [...loose, ...inside.flatMap(([, held]) => held)] }
}

/** Credits of the fine: base value times the empire's multiplier; bounded as debts are. */
export function fineOf(empire: number, held: readonly Held[]): number {
  const { customs_fine_multiplier_bps } = EMPIRES[empire].policy
  const fine = held.reduce(
    (sum, { item, units }) =>
      sum + Math.min(BOUNTY_CREDITS_MAX, mulDivFloor(GOODS[item].base_value, units, 1)),
    0,
  )
  return Math.min(BOUNTY_CREDITS_MAX, mulDivFloor(fine, customs_fine_multiplier_bps, BPS))
}

/** True when the pilot slips through: a roll against what he has learnt. */
function evades(view: WorldView, player: Eid): boolean {
  const pct = EVASION_SKILLS.reduce((sum, skill) => sum + levelOf(view, player, skill), 0)
  const roll = hash32(view.seed, view.tick, EVASION, view.read(Player).seq[player])
  return drawBelow(100, roll) < pct
}

/** Takes the fine, or puts it on the bounty; true when it is paid. */
function fine(world: World, player: Eid, empire: number, credits: number): boolean {
  const wallet = walletOf(world, player)
  if (balanceOf(world, wallet) < credits) {
    addBounty(world, player, empire, credits)
    return false
  }
  const treasury = empireTreasury(world, empire)
  const to = canReceive(world, treasury, credits) ? treasury : namedAccount('fee_sink')
  const said = `A customs fine of ${counted(credits, 'credit')} of ${EMPIRES[empire].name}.`
  creditMove(world, player, wallet, to, credits, 'reputation', 'customs_fine', said)
  return true
}

/**
 * The arrival of a player in a system by jump: customs look into the hold. Evasion counts only with
 * contraband aboard.
 */
export function passCustoms(world: World, player: Eid, system: Eid): void {
  const empire = lawOf(world, system)
  const ship = world.read(Player).ship[player]
  if (empire < 0 || !isBorder(world, system)) return
  const found = contrabandIn(world, ship, empire)
  if (found.units.length === 0 || !isGuarded(world, system)) return
  const isSeen = SCANNER_POWER > cloakOf(world, player)
  if (!isSeen || evades(world, player)) {
    addStat(world, player, 'customs_evaded', 1)
    awardXp(world, player, 'stealth', EVASION_XP)
    return
  }
  const credits = fineOf(empire, found.units)
  for (const { item, units } of found.loose) {
    unloadCargo(world, ship, namedContainer('confiscated'), item, units)
  }
  for (const pkg of found.packages) destroyPackage(world, pkg, 'confiscated')
  const isPaid = fine(world, player, empire, credits)
  const units = found.units.reduce((sum, held) => sum + held.units, 0)
  const what = `${EMPIRES[empire].name} seized ${counted(units, 'unit')} of contraband`
  const how = isPaid
    ? `and took a fine of ${counted(credits, 'credit')}.`
    : `and you owe it ${counted(credits, 'credit')}.`
  const message = `${what} ${how}`
  tellNotice(world, player, empire, {
    kind: 'customs',
    message,
    amount: credits,
    ...placeOf(world, system),
  })
}
