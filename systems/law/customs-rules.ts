/**
 * Customs: customs ships scan players who jump into a border system of an empire. Contraband is
 * seized and fined; an unpaid fine is added to the bounty. Source: combat.md section 12;
 * factions.md section 10.
 */
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import { contentsOf, type Held, namedContainer } from '../../core/goods.ts'
import { balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { empireTreasury } from '../base/model.ts'
import { packagesIn } from '../cargo/model.ts'
import { destroyPackage } from '../cargo/rules.ts'
import { Package } from '../cargo/state.ts'
import { creditMove } from '../log/rules.ts'
import { isGuarded } from '../npc/model.ts'
import { cloakOf } from '../sensing/model.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { fineOf, isBorder, jurisdictionOf, systemFields } from './model.ts'
import { addBounty, sendNotice } from './rules.ts'

/** Scanner power of customs ships. Source: combat.md section 12. */
const SCANNER_POWER = 40
/** XP in stealth for an evasion. Source: missions.md section 5, stealth. */
const EVASION_XP = 20

const EVASION = hashText('law.evasion')
/**
 * Skills of which each level adds 1 % to the chance to evade customs. Source: missions.md section
 * 5.
 */
const EVASION_SKILLS = ['smuggling', 'stealth', 'piracy'] as const

const isBanned = (empire: number, item: number): boolean =>
  EMPIRES[empire].policy.contraband_items.includes(GOODS[item].id)

/** Returns the contents of a container that an empire bans, in the order of goods. */
const bannedIn = (view: WorldView, container: Row, empire: number): Held[] =>
  contentsOf(view, container).filter(({ item }) => isBanned(empire, item))

interface Contraband {
  readonly loose: readonly Held[]
  /**
   * Packages with any banned good; each is seized as a whole. Source: trade-storage.md section 5.
   */
  readonly packages: readonly Row[]
  /** All banned goods, including those in packages, on which the fine depends. */
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

/** Returns whether the pilot evades customs: a roll against their skills. */
function evades(view: WorldView, player: Eid): boolean {
  const pct = EVASION_SKILLS.reduce((sum, skill) => sum + levelOf(view, player, skill), 0)
  const roll = hash32(view.seed, view.tick, EVASION, view.read(Player).seq[player])
  return drawBelow(100, roll) < pct
}

/** Takes the fine, or adds it to the bounty; returns whether it was paid. */
function collectFine(world: World, player: Eid, empire: number, credits: number): boolean {
  const wallet = walletOf(world, player)
  if (balanceOf(world, wallet) < credits) {
    addBounty(world, player, empire, credits)
    return false
  }
  const treasury = empireTreasury(world, empire)
  const to = canReceive(world, treasury, credits) ? treasury : namedAccount('fee_sink')
  const summary = `Paid a customs fine of ${counted(credits, 'credit')} to ${EMPIRES[empire].name}.`
  creditMove(world, player, wallet, to, credits, 'reputation', 'customs_fine', summary)
  return true
}

/**
 * Inspects the hold of a player who has jumped into a system, and seizes contraband. Evasion counts
 * only with contraband aboard.
 */
export function inspectCargo(world: World, player: Eid, system: Eid): void {
  const empire = jurisdictionOf(world, system)
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
  const isPaid = collectFine(world, player, empire, credits)
  const units = found.units.reduce((sum, held) => sum + held.units, 0)
  const seizure = `${EMPIRES[empire].name} seized ${counted(units, 'unit')} of contraband`
  const payment = isPaid
    ? `and took a fine of ${counted(credits, 'credit')}.`
    : `and you owe it ${counted(credits, 'credit')}.`
  const message = `${seizure} ${payment}`
  sendNotice(world, player, empire, {
    kind: 'customs',
    message,
    amount: credits,
    ...systemFields(world, system),
  })
}
