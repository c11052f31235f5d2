/**
 * Battles under random orders of pilots (I5, I12): a refused order leaves no trace, after every
 * tick battles are consistent and all their notices sent, and a reloaded world continues the same.
 * The fates of ships are random, too.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Eid } from '../../core/types.ts'
import { Player } from '../../systems/account/state.ts'
import { hasNotices } from '../../systems/combat/model.ts'
import { Battle, FATES, Participant, ShipCombat, STANCES } from '../../systems/combat/state.ts'
import { placeInSpace } from '../../systems/travel/rules.ts'
import { Location } from '../../systems/travel/state.ts'
import type { SmallWorld } from '../small-world.ts'
import { meeting, type Scene } from '../unit/combat/scene.ts'

const PLAYERS = 5
/** Fates that need no boarding. */
const DRAWN_FATES = FATES.filter((fate) => fate !== 'captured' && fate !== 'stays')

interface Step {
  readonly player: number
  readonly other: number
  readonly choice: number
  readonly variant: number
}

type Draw = { readonly command: string; readonly params: object; readonly isOrder: boolean }

const order = (params: object): Draw => ({ command: 'battle', params, isOrder: true })
const mutation = (command: string, params: object): Draw => ({ command, params, isOrder: false })

/** Draws a command of a pilot; undefined for a quiet tick. */
function drawIn(scene: Scene, { other, choice, variant }: Step): Draw | undefined {
  const target_id = scene.id(scene.players[other])
  const choices: (() => Draw | undefined)[] = [
    () => mutation('attack', { target_id }),
    () => mutation('attack', { target_id }),
    () => mutation('attack', { target_id: variant % 2 === 0 ? 'nobody' : target_id }),
    () => mutation('reload', { weapon_instance_id: 'none' }),
    () => mutation('jettison', { item_id: 'iron_ore', quantity: 1 }),
    () => mutation('repair', {}),
    () => mutation('dock', {}),
    () => order({ action: variant % 2 === 0 ? 'advance' : 'retreat' }),
    () => order({ action: 'stance', stance: [...STANCES, 'hide'][variant % 6] }),
    () => order({ action: 'target', target_id }),
    () => order({ action: 'engage', side_id: variant % 4 }),
    () => order({ action: 'engage' }),
    () => order({ action: 'board', target_id, marines: variant % 3 }),
    () => order({ action: variant % 3 === 0 ? 'self_destruct' : 'help' }),
    () => undefined,
  ]
  return choices[choice % choices.length]()
}

/** Gives a command in the first world, and in the twin unless it was refused. */
function give(first: SmallWorld, twin: SmallWorld, player: Eid, drawn: Draw): void {
  const { command, params } = drawn
  if (drawn.isOrder) {
    if (first.ask(player, command, params).ok) twin.ask(player, command, params)
    return
  }
  const before = first.world.tick
  const answer = first.answer(player, command, params)
  const hasEffect = answer.outcome.ok || answer.autoDocked || answer.autoUndocked
  if (hasEffect) twin.answer(player, command, params)
  else twin.ticks(first.world.tick - before)
}

/** Decides the fate of a fighting ship, the same in both worlds. */
function doom(worlds: readonly SmallWorld[], player: Eid, killer: Eid, draw: number): void {
  for (const { world } of worlds) {
    const { participant } = world.read(ShipCombat)
    const { ship } = world.read(Player)
    const row = participant[ship[player]]
    const killerRow = participant[ship[killer]]
    if (row === 0) continue
    const part = world.write(Participant)
    const isFoe =
      killerRow !== 0 && killerRow !== row && part.battle[killerRow] === part.battle[row]
    part.fate[row] = FATES.indexOf(DRAWN_FATES[draw % DRAWN_FATES.length])
    part.killer[row] = isFoe ? killerRow : 0
  }
}

/** Brings pilots who respawned at home back to the meeting, in both worlds. */
function bringBack(worlds: readonly SmallWorld[], scene: Scene): void {
  for (const { world } of worlds) {
    const { ship } = world.read(Player)
    for (const player of scene.players) {
      if (world.read(Location).system[ship[player]] === scene.system) continue
      placeInSpace(world, ship[player], scene.poi)
    }
  }
}

const steps = fc.array(
  fc.record<Step>({
    player: fc.nat(PLAYERS - 1),
    other: fc.nat(PLAYERS - 1),
    choice: fc.nat(),
    variant: fc.nat(50),
  }),
  { minLength: 40, maxLength: 40 },
)

test('a refused order changes nothing, and battles stay consistent under any orders', async () => {
  let fought = 0
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const [scene, twinScene] = [await meeting(PLAYERS), await meeting(PLAYERS)]
      const worlds = [scene.small, twinScene.small] as const
      for (const [i, step] of drawn.entries()) {
        const player = scene.players[step.player]
        const draw = drawIn(scene, step)
        if (draw) give(scene.small, twinScene.small, player, draw)
        if (i % 5 === 4) doom(worlds, player, scene.players[step.other], step.variant)
        if (i % 3 === 2) for (const small of worlds) small.ticks(1)
        if (i % 10 === 9) bringBack(worlds, scene)
        expect(scene.small.hash(), JSON.stringify(draw)).toBe(twinScene.small.hash())
        expect(hasNotices(scene.world)).toBe(false)
        fought += scene.world.countOf(Battle)
      }
      const loaded = await scene.small.reload()
      loaded.ticks(3)
      scene.small.ticks(3)
      expect(loaded.hash()).toBe(scene.small.hash())
    }),
    { numRuns: 4, endOnFailure: true },
  )
  expect(fought).toBeGreaterThan(20)
})
