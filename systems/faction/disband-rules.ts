/** The end of a faction: with its last member. Source: factions.md section 3. */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { Container, contentsOf, moveItems, Stack } from '../../core/goods.ts'
import { firstRefusal } from '../../core/guard.ts'
import { Account, balanceOf, canReceive } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { raise } from '../../core/occurrence.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { Locker } from '../cargo/columns.ts'
import { isStoreNearlyFull, lockerOf, openLocker } from '../cargo/rules.ts'
import { creditMove } from '../log/rules.ts'
import { movePackage, packagesIn } from '../package/rules.ts'
import { ACTIVITY, disbanded, disbanding, Faction, ROLES } from './columns.ts'
import { dropInvite, invitesBy } from './invites.ts'
import { dismiss, keepNames } from './member-rules.ts'
import { directoryOf, factionName, factionNameKey, factionTag, treasuryOf } from './rules.ts'
import {
  bunkerFuel,
  changeBunker,
  closeEmptyStore,
  storeContainer,
  storesOf,
} from './store-rules.ts'

/** Why a faction may not end with this member; undefined where it may. */
export function refusesDisbanding(view: WorldView, faction: Row, heir: Eid): Failure | undefined {
  const refused = firstRefusal(view, disbanding, { faction, heir })
  if (refused) return refused
  const spread = refusesSpreading(view, faction)
  if (spread) return spread
  const fits = canReceive(view, walletOf(view, heir), balanceOf(view, treasuryOf(view, faction)))
  return fits ? undefined : fail('amount_too_large')
}

/** Goods of all stores need rows in the lockers of the heir before those of the stores are free. */
function refusesSpreading(view: WorldView, faction: Row): Failure | undefined {
  const { kinds } = view.read(Container)
  const places = storesOf(view, faction)
  const stacks = places.reduce((sum, place) => sum + kinds[storeContainer(view, place)], 0)
  if (stacks === 0) return undefined
  const isFull =
    isStoreNearlyFull(view) ||
    stacks > divFloor(view.roomIn(Stack), 2) ||
    places.length > divFloor(Math.min(view.roomIn(Locker), view.roomIn(Container)), 2)
  return isFull ? fail('limit_reached') : undefined
}

/** Puts what stores hold into the heir's lockers where they are; fuel goes to the station. */
function emptyStores(world: World, faction: Row, heir: Eid): void {
  for (const place of storesOf(world, faction)) {
    const { base } = place
    const from = storeContainer(world, place)
    const held = contentsOf(world, from)
    const packages = packagesIn(world, from)
    if (held.length + packages.length > 0) openLocker(world, heir, base)
    for (const { item, units } of held) {
      moveItems(world, from, lockerOf(world, heir, base), item, units)
    }
    for (const pkg of packages) movePackage(world, pkg, { kind: 'locker', player: heir, base })
    const fuel = place.bucket === 0 ? bunkerFuel(world, faction, base) : 0
    if (fuel === 0) {
      closeEmptyStore(world, place)
      continue
    }
    const tank = world.write(Base)
    tank.fuel[base] = Math.min(tank.fuelMax[base], tank.fuel[base] + fuel)
    changeBunker(world, faction, base, -fuel)
  }
}

/** Ends a faction whose only member is the heir. */
export function disband(world: World, faction: Row, heir: Eid): void {
  assert(world.read(Faction).members[faction] === 1, 'a faction ends with its last member')
  raise(world, disbanded, { faction, heir })
  emptyStores(world, faction, heir)
  const treasury = treasuryOf(world, faction)
  const credits = balanceOf(world, treasury)
  const name = factionName(world, faction)
  const said = `Got the treasury of ${name}, which is no more: ${counted(credits, 'credit')}.`
  creditMove(world, heir, treasury, walletOf(world, heir), credits, 'faction', 'disbanded', said)
  for (const open of invitesBy(world, faction)) dropInvite(world, open)
  keepNames(world, faction)
  dismiss(world, heir)
  const { names, tags, members } = directoryOf(world)
  names.delete(factionNameKey(name))
  tags.delete(factionTag(world, faction))
  members.delete(faction)
  const key = String(world.read(Faction).seq[faction])
  world.records(ROLES).delete(key)
  world.records(ACTIVITY).delete(key)
  world.release(Account, treasury)
  world.release(Faction, faction)
}
