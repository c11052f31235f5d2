/**
 * I12, I5 and the invariants of battles under any orders of pilots: a refused order leaves no
 * trace, every tick ends with sound battles, all of which is reported, and a reloaded world goes on
 * the same. The fates of ships are drawn, too.
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
/** Fates that need no boarding to come about. */
const DRAWN_FATES = FATES.filter((fate) => fate !== 'captured' && fate !== 'stays')

interface Step {
  readonly player: number
  readonly other: number
  readonly what: number
  readonly more: number
}

type Draw = { readonly command: string; readonly params: object; readonly isOrder: boolean }

const order = (params: object): Draw => ({ command: 'battle', params, isOrder: true })
const mutation = (command: string, params: object): Draw => ({ command, params, isOrder: false })

/** Draws a command of a pilot; undefined for a quiet tick. */
function drawIn(scene: Scene, { other, what, more }: Step): Draw | undefined {
  const target_id = scene.id(scene.players[other])
  const choices: (() => Draw | undefined)[] = [
    () => mutation('attack', { target_id }),
    () => mutation('attack', { target_id }),
    () => mutation('attack', { target_id: more % 2 === 0 ? 'nobody' : target_id }),
    () => mutation('reload', { weapon_instance_id: 'none' }),
    () => mutation('jettison', { item_id: 'iron_ore', quantity: 1 }),
    () => mutation('repair', {}),
    () => mutation('dock', {}),
    () => order({ action: more % 2 === 0 ? 'advance' : 'retreat' }),
    () => order({ action: 'stance', stance: [...STANCES, 'hide'][more % 6] }),
    () => order({ action: 'target', target_id }),
    () => order({ action: 'engage', side_id: more % 4 }),
    () => order({ action: 'engage' }),
    () => order({ action: 'board', target_id, marines: more % 3 }),
    () => order({ action: more % 3 === 0 ? 'self_destruct' : 'help' }),
    () => undefined,
  ]
  return choices[what % choices.length]()
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
  const stands = answer.outcome.ok || answer.autoDocked || answer.autoUndocked
  if (stands) twin.answer(player, command, params)
  else twin.ticks(first.world.tick - before)
}

/** Decides the fate of a fighting ship, the same in both worlds. */
function doom(worlds: readonly SmallWorld[], player: Eid, killer: Eid, draw: number): void {
  for (const { world } of worlds) {
    const { participant } = world.read(ShipCombat)
    const { ship } = world.read(Player)
    const row = participant[ship[player]]
    const by = participant[ship[killer]]
    if (row === 0) continue
    const part = world.write(Participant)
    const isFoe = by !== 0 && part.battle[by] === part.battle[row] && by !== row
    part.fate[row] = FATES.indexOf(DRAWN_FATES[draw % DRAWN_FATES.length])
    part.killer[row] = isFoe ? by : 0
  }
}

/** Brings who woke up at home back to the meeting, in both worlds. */
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
    what: fc.nat(),
    more: fc.nat(50),
  }),
  { minLength: 40, maxLength: 40 },
)

test('a refused order changes nothing, and battles stay sound whatever is ordered', async () => {
  let fought = 0
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const [scene, twinScene] = [await meeting(PLAYERS), await meeting(PLAYERS)]
      const worlds = [scene.small, twinScene.small] as const
      for (const [i, step] of drawn.entries()) {
        const player = scene.players[step.player]
        const drawn = drawIn(scene, step)
        if (drawn) give(scene.small, twinScene.small, player, drawn)
        if (i % 5 === 4) doom(worlds, player, scene.players[step.other], step.more)
        if (i % 3 === 2) for (const small of worlds) small.ticks(1)
        if (i % 10 === 9) bringBack(worlds, scene)
        expect(scene.small.hash(), JSON.stringify(drawn)).toBe(twinScene.small.hash())
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
