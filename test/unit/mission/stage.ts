/** Players at mission boards: finding a board with a template, goods and credits. */
import { itemIndex, missionTemplate } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { hasService } from '../../../systems/base/model.ts'
import { BASE_KINDS, Base } from '../../../systems/base/state.ts'
import { boardOf } from '../../../systems/mission/offers-model.ts'
import { EPOCH_TICKS } from '../../../systems/mission/state.ts'
import { activeShip, loadCargo, unitsThatFit } from '../../../systems/ship/model.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import type { SmallWorld } from '../../small-world.ts'

/** Puts goods into the hold of a player, out of the supply account. */
export const load = (world: World, player: Eid, id: string, units: number): void =>
  loadCargo(world, activeShip(world, player), namedContainer('supply'), itemIndex(id), units)

export const creditsOf = (world: World, player: Eid): number =>
  balanceOf(world, walletOf(world, player))

export const fund = (world: World, player: Eid, credits: number): void =>
  post(world, namedAccount('starting_grant'), walletOf(world, player), credits)

/** Docks a player at a base whose board shows the template, in a later epoch if need be. */
export function seek(small: SmallWorld, player: Eid, template: string): Eid {
  const { world } = small
  for (let tries = 0; tries < 40; tries++) {
    for (const base of boards(world)) {
      const shows = boardOf(world, base).some((offer) => offer.template.template_id === template)
      if (!shows) continue
      dockShip(world, activeShip(world, player), base)
      return base
    }
    const epoch = Math.floor(world.tick / EPOCH_TICKS)
    world.tick = (epoch + 1) * EPOCH_TICKS
  }
  throw new Error(`no board ever shows ${template}`)
}

/** Returns bases with a board that anybody may dock at. */
export function boards(world: World): Eid[] {
  const { alive, pirateRepRequired } = world.read(Base)
  const found: Eid[] = []
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 1 && pirateRepRequired[base] === 0 && hasService(world, base, 'missions')) {
      found.push(base)
    }
  }
  return found
}

export const kindOf = (world: World, base: Eid): string => BASE_KINDS[world.read(Base).kind[base]]
export const here = (world: World, player: Eid): Eid => dockedBase(world, player)
export const room = (world: World, player: Eid, id: string): number =>
  unitsThatFit(world, activeShip(world, player), itemIndex(id))
export const templateNamed = (id: string) => {
  const template = missionTemplate(id)
  if (!template) throw new Error(`no template ${id}`)
  return template
}
