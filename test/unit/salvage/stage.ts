/** Wrecks, and two players next to them in lawless space, for tests. */
import { itemIndex, SHIP_CLASSES, shipClassIndex, skillIndex } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { hasService } from '../../../systems/base/model.ts'
import { Base, type Service } from '../../../systems/base/state.ts'
import { makeWreck } from '../../../systems/salvage/make-rules.ts'
import { wreckId } from '../../../systems/salvage/model.ts'
import { loadCargo } from '../../../systems/ship/model.ts'
import { createShip, releaseShip } from '../../../systems/ship/rules.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { hullOf, meeting, putAt, type Scene } from '../combat/scene.ts'

export const ORE = itemIndex('iron_ore')
/** Returns a ship class of a scale that is no tug and has room for a tow rig. */
export const hullOfScale = (scale: number): string => {
  const found = SHIP_CLASSES.find(
    (row) =>
      row.scale === scale && row.utility_slots > 1 && !row.hidden && row.tow_speed_bonus === 0,
  )
  if (!found) throw new Error(`no hull has scale ${scale}`)
  return found.id
}

export interface Lost {
  readonly shipClass?: string
  readonly modules?: readonly string[]
  readonly issue?: boolean
  readonly ore?: number
  readonly isNpc?: boolean
}

/** Makes the wreck of a new ship without an owner. All cargo of an NPC drops. */
export function loseAt(world: World, poi: Eid, lost: Lost = {}): Row {
  const { shipClass = 'reaver', modules = [], issue = false, ore = 0, isNpc = true } = lost
  const ship = createShip(world, {
    owner: 0,
    shipClass: shipClassIndex(shipClass),
    modules: modules.map(itemIndex),
    issue,
  })
  loadCargo(world, ship, namedContainer('mined'), ORE, ore)
  const wreck = makeWreck(world, {
    ship,
    poi,
    isNpc,
    victimId: 'v',
    victimName: 'Victim',
    killerId: 'k',
    killerName: 'Killer',
  })
  releaseShip(world, ship)
  world.recycle()
  return wreck
}

export interface Yard extends Scene {
  readonly one: Eid
  readonly two: Eid
  /** Makes a wreck at the place of both players; returns its row and its wire id. */
  wreck(lost?: Lost): { readonly row: Row; readonly id: string }
  act(player: Eid, command: string, params?: object): Outcome<Record<string, unknown>>
  wrecks(player: Eid): Record<string, unknown>[]
  /** Puts a player into a ship with a tow rig at the place of the wrecks. */
  tug(player: Eid, shipClass?: string, modules?: readonly string[]): Eid
  /** Docks a player at a base with a service, or without it. */
  dockAt(player: Eid, service: Service, has?: boolean): Eid
  train(player: Eid, skill: string, level: number): void
}

/** Makes two players at a place without wrecks. */
export async function beside(): Promise<Yard> {
  const scene = await meeting(2)
  const { world, small, poi } = scene
  const [one, two] = scene.players
  const act = (player: Eid, command: string, params: object = {}) =>
    small.act(player, command, params) as Outcome<Record<string, unknown>>
  return {
    ...scene,
    one,
    two,
    act,
    wreck(lost) {
      const row = loseAt(world, poi, lost)
      return { row, id: wreckId(world, row) }
    },
    wrecks(player) {
      const seen = small.ask(player, 'get_wrecks')
      if (!seen.ok) throw new Error(seen.code)
      return (seen.result as { wrecks: Record<string, unknown>[] }).wrecks
    },
    tug: (player, shipClass = hullOfScale(2), modules = ['tow_rig_basic']) =>
      putAt(world, player, poi, { shipClass, modules }),
    dockAt(player, service, has = true) {
      const { alive } = world.read(Base)
      for (let base = 1; base <= world.highOf(Base); base++) {
        const isOpen = world.read(Base).pirateRepRequired[base] === 0
        if (alive[base] === 0 || !isOpen || hasService(world, base, service) !== has) continue
        dockShip(world, hullOf(world, player), base)
        return base
      }
      throw new Error(`no base ${has ? 'has' : 'lacks'} ${service}`)
    },
    train(player, skill, level) {
      world.write(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex(skill)] = level
    },
  }
}
