/** The course of a boarding: closing, latch, assault, and each way it can end. */
import { beforeEach, describe, expect, test } from 'vitest'
import { playerId } from '../../../systems/account/model.ts'
import { attachedTo, boardingNotes, isBoardingLocked } from '../../../systems/boarding/model.ts'
import { leaveBoarding } from '../../../systems/boarding/rules.ts'
import { Link } from '../../../systems/boarding/state.ts'
import { latchStatus, renderBoardings } from '../../../systems/boarding/views.ts'
import { FATES, PARTICIPANT_KINDS, Participant } from '../../../systems/combat/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import { type Stage, stages } from './stage.ts'

onSmallMap()

const freshStage = await stages()
let scene: Stage

beforeEach(async () => {
  scene = await freshStage()
})

const pilot = (index: number) => scene.players[index]
const boarder = (marines = 20) => scene.enter({ side: 1, player: pilot(0), marines })
const victim = (crew = 10, marines = 0) => scene.enter({ side: 2, player: pilot(1), crew, marines })
const setLink = (row: number, name: 'progress' | 'committed', value: number) => {
  scene.small.world.write(Link)[name][scene.linkOf(row)] = value
}
const linkFigures = (row: number) => {
  const { progress, committed, timer, attached } = scene.small.world.read(Link)
  const link = scene.linkOf(row)
  return {
    progress: progress[link],
    committed: committed[link],
    timer: timer[link],
    attached: attached[link],
  }
}

describe('the order to board', () => {
  test('needs gear, marines and a hostile hull that can be boarded', () => {
    const attacker = boarder(5)
    const target = victim()
    const unarmed = scene.enter({ side: 1, hull: 'marauder', marines: 2 })
    const empty = scene.enter({ side: 1, marines: 0 })
    expect(scene.board(unarmed, target, 1)).toBe('no_boarding_gear')
    expect(scene.board(empty, target, 1)).toBe('no_marines')
    expect(scene.board(attacker, target, 0)).toBe('no_marines')
    expect(scene.board(attacker, empty, 1)).toBe('invalid_target')
    expect(scene.board(attacker, attacker, 1)).toBe('invalid_target')
    scene.small.world.write(Participant).kind[target] = PARTICIPANT_KINDS.indexOf('creature')
    expect(scene.board(attacker, target, 1)).toBe('invalid_target')
    scene.small.world.write(Participant).kind[target] = PARTICIPANT_KINDS.indexOf('player')
    expect(scene.board(attacker, target, 1)).toBeUndefined()
  })

  test('is open to any hull with boarding clamps', () => {
    const clamps = scene.enter({
      side: 1,
      hull: 'marauder',
      marines: 2,
      modules: ['boarding_clamps'],
    })
    expect(scene.board(clamps, victim(), 2)).toBeUndefined()
  })

  test('starts a boarding in the next fight, with no more marines than are fit', () => {
    const attacker = boarder(8)
    const target = victim()
    scene.board(attacker, target, 500)
    expect(scene.phaseOf(attacker)).toBeUndefined()
    expect(scene.round()).toEqual([expect.objectContaining({ event: 'boarding_started' })])
    expect(scene.phaseOf(attacker)).toBe('closing')
    expect(scene.linkOf(target)).toBe(scene.linkOf(attacker))
    expect(linkFigures(attacker).committed).toBe(8)
    expect(scene.stanceOf(attacker)).toBe('board')
  })

  test('changes neither the target nor the marines when repeated', () => {
    const attacker = boarder(8)
    const target = victim()
    const secondTarget = scene.enter({ side: 2, crew: 5 })
    scene.board(attacker, target, 3)
    scene.round()
    expect(scene.board(attacker, secondTarget, 8)).toBeUndefined()
    scene.order(attacker, 'board')
    scene.round()
    expect(linkFigures(attacker).committed).toBe(3)
    expect(scene.linkOf(target)).not.toBe(0)
    expect(scene.linkOf(secondTarget)).toBe(0)
  })
})

describe('closing', () => {
  test('progresses only in contact and against a shield of at most a quarter', () => {
    const attacker = boarder()
    const target = victim()
    const { world } = scene.small
    scene.board(attacker, target, 5)
    scene.round()
    scene.round()
    // 25 at equal speed, 5·2 for the strength of the hull, less 5·2 for resistance
    expect(linkFigures(attacker).progress).toBe(25)
    world.write(Participant).ring[target] = 1
    scene.round()
    expect(linkFigures(attacker)).toMatchObject({ progress: 5, timer: 1 })
    scene.round()
    expect(linkFigures(attacker)).toMatchObject({ progress: 0, timer: 2 })
    world.write(Participant).ring[target] = 0
    const ship = scene.shipOf(target)
    world.write(Ship).shield[ship] = Math.trunc(world.read(Ship).shieldMax[ship] / 4) + 1
    scene.round()
    expect(linkFigures(attacker)).toMatchObject({ progress: 0, timer: 3 })
    world.write(Ship).shield[ship] = Math.trunc(world.read(Ship).shieldMax[ship] / 4)
    scene.round()
    expect(linkFigures(attacker)).toMatchObject({ progress: 25, timer: 0 })
  })

  test.each([
    { faster: 0, ring: 1, grips: false },
    { faster: 1, ring: 1, grips: true },
    { faster: 1, ring: 2, grips: false },
    { faster: 3, ring: 3, grips: true },
    { faster: -1, ring: 0, grips: true },
  ])('reaches as many rings out as the boarder is faster: %o', ({ faster, ring, grips }) => {
    const attacker = boarder()
    const target = victim()
    const part = scene.small.world.write(Participant)
    part.effectiveSpeed[target] = 2
    part.effectiveSpeed[attacker] = 2 + faster
    scene.board(attacker, target, 5)
    scene.round()
    part.ring[attacker] = 0
    part.ring[target] = ring
    scene.round()
    expect(linkFigures(attacker).progress > 0).toBe(grips)
    expect(latchStatus(scene.small.world, attacker)).toBe(grips ? 'accruing' : 'out_of_range')
    part.ring[attacker] = 1
    scene.round()
    expect(latchStatus(scene.small.world, attacker)).toBe('out_of_range')
  })

  test('ends as closing_stalled after ten ticks without progress', () => {
    const attacker = boarder()
    const target = victim()
    scene.board(attacker, target, 5)
    scene.round()
    scene.small.world.write(Participant).ring[target] = 3
    const notes = scene.rounds(10)
    expect(notes).toEqual([
      expect.objectContaining({ event: 'ended', outcome: 'withdrawn', reason: 'closing_stalled' }),
    ])
    expect(scene.linkOf(attacker)).toBe(0)
    expect(scene.stanceOf(attacker)).toBe('fire')
    expect(scene.people(attacker).marines).toBe(20)
  })

  test('locks the target and attaches it to the boarder at full progress', () => {
    const attacker = boarder()
    const target = victim(20, 20)
    scene.board(attacker, target, 5)
    scene.round()
    expect(attachedTo(scene.small.world, attacker)).toBe(0)
    setLink(attacker, 'progress', 80)
    expect(scene.round()).toEqual([expect.objectContaining({ event: 'latched' })])
    expect(scene.phaseOf(attacker)).toBe('assault')
    expect(isBoardingLocked(scene.small.world, target)).toBe(true)
    expect(isBoardingLocked(scene.small.world, attacker)).toBe(false)
    expect(attachedTo(scene.small.world, attacker)).toBe(target)
    expect(attachedTo(scene.small.world, target)).toBe(attacker)
  })

  test('costs a marine each tick against a boarding repeller', () => {
    const attacker = boarder()
    const target = scene.enter({ side: 2, crew: 5, modules: ['boarding_repeller'] })
    scene.board(attacker, target, 5)
    scene.round()
    scene.round()
    expect(linkFigures(attacker).committed).toBe(3)
    expect(scene.people(attacker)).toMatchObject({ marines: 18, hurtMarines: 0 })
  })
})

/** Makes a boarding that has latched, with this many marines sent. */
function latched(attacker: number, target: number, marines: number): void {
  scene.board(attacker, target, marines)
  scene.round()
  setLink(attacker, 'progress', 99)
}

describe('an assault', () => {
  test('costs both sides people each tick, marines first, half of them injured', () => {
    const attacker = boarder(20)
    const target = victim(20, 8)
    latched(attacker, target, 20)
    scene.round()
    const defenders = scene.people(target)
    // Attack: 3·20·105/100 = 63, and 63·k/30 is 1 or 2. Defence: (3·8 + 20)·120/100 = 52, likewise.
    const lost = 28 - defenders.crew - defenders.marines
    expect([1, 2]).toContain(lost)
    expect(defenders).toMatchObject({ crew: 20, marines: 8 - lost, hurt: 0 })
    expect(defenders.hurtMarines).toBe(Math.trunc(lost / 2))
    const sent = linkFigures(attacker).committed
    expect([18, 19]).toContain(sent)
    expect(scene.people(attacker).marines).toBe(sent)
  })

  test('captures the hull when no fit defender is left', () => {
    const attacker = boarder(20)
    const target = victim(4, 0)
    const hull = scene.shipOf(target)
    latched(attacker, target, 20)
    expect(scene.untilEnd()).toBe('captured')
    expect(scene.linkOf(attacker)).toBe(0)
    expect(scene.stanceOf(attacker)).toBe('fire')
    expect(scene.small.world.read(Ship).owner[hull]).toBe(0)
    const captors = scene.players.map((player) =>
      counted(scene.small.world, player, 'ships_captured'),
    )
    expect(captors.reduce((sum, hulls) => sum + hulls)).toBe(1)
  })

  test('captures a hull without fit defenders in the tick of latching', () => {
    const attacker = boarder(3)
    const target = victim(0, 0)
    latched(attacker, target, 3)
    const notes = scene.round()
    expect(notes).toContainEqual(expect.objectContaining({ event: 'ended', outcome: 'captured' }))
    expect(scene.people(attacker)).toMatchObject({ marines: 3, hurtMarines: 0 })
  })

  test('ends as boarding_force_defeated when it runs out of marines', () => {
    const attacker = boarder(3)
    const target = victim(20, 20)
    latched(attacker, target, 2)
    expect(scene.untilEnd()).toBe('boarding_force_defeated')
    expect(isBoardingLocked(scene.small.world, target)).toBe(false)
    expect(scene.people(attacker).marines).toBe(1)
    expect(scene.stanceOf(attacker)).toBe('fire')
  })

  test('loses the marines aboard a target that is destroyed', () => {
    const attacker = boarder(20)
    const target = victim(20, 20)
    latched(attacker, target, 5)
    scene.round()
    const { committed } = linkFigures(attacker)
    const { marines } = scene.people(attacker)
    const notes = scene.round({ attacker, target, hull: 10_000 })
    expect(notes).toEqual([
      expect.objectContaining({ event: 'ended', outcome: 'target_destroyed' }),
    ])
    expect(scene.people(attacker).marines).toBe(marines - committed)
  })

  test('ends as attacker_destroyed with the boarding ship', () => {
    const attacker = boarder(20)
    const target = victim(20, 20)
    latched(attacker, target, 5)
    scene.round()
    const notes = scene.round({ attacker: target, target: attacker, hull: 10_000 })
    expect(notes).toEqual([
      expect.objectContaining({ event: 'ended', outcome: 'attacker_destroyed' }),
    ])
    expect(isBoardingLocked(scene.small.world, target)).toBe(false)
  })
})

describe('a boarding is given up', () => {
  test('by the order of another stance, within three ticks that cost marines', () => {
    const attacker = boarder(20)
    const target = victim(20, 20)
    scene.board(attacker, target, 20)
    scene.round()
    scene.order(attacker, 'brace')
    expect(scene.round()).toEqual([expect.objectContaining({ event: 'withdrawing' })])
    expect(linkFigures(attacker).committed).toBe(18)
    expect(scene.stanceOf(attacker)).toBe('board')
    scene.round()
    scene.round()
    // 20 - 2 - 1 - 1: a tenth of those left, at least one
    expect(linkFigures(attacker).committed).toBe(16)
    expect(scene.phaseOf(attacker)).toBe('withdrawing')
    expect(scene.round()).toEqual([
      expect.objectContaining({ event: 'ended', outcome: 'withdrawn' }),
    ])
    expect(scene.stanceOf(attacker)).toBe('brace')
    expect(scene.people(attacker)).toMatchObject({ marines: 16, hurtMarines: 1 })
  })

  test('during an assault, which stops at once', () => {
    const attacker = boarder(20)
    const target = victim(20, 20)
    latched(attacker, target, 20)
    scene.round()
    const before = scene.people(target)
    scene.order(attacker, 'flee')
    scene.rounds(4)
    expect(scene.people(target)).toEqual(before)
    expect(scene.stanceOf(attacker)).toBe('flee')
    expect(isBoardingLocked(scene.small.world, target)).toBe(false)
  })

  test('in favour of the last stance ordered during the withdrawal', () => {
    const attacker = boarder(20)
    scene.board(attacker, victim(), 20)
    scene.round()
    scene.order(attacker, 'brace')
    scene.round()
    scene.order(attacker, 'evade')
    scene.rounds(3)
    expect(scene.stanceOf(attacker)).toBe('evade')
  })

  test('when a hull leaves the battle', () => {
    const attacker = boarder(20)
    const target = victim(20, 20)
    latched(attacker, target, 20)
    scene.round()
    const { world } = scene.small
    world.write(Participant).fate[target] = FATES.indexOf('emergency_warp')
    expect(scene.round().at(-1)).toMatchObject({ event: 'ended', outcome: 'withdrawn' })
    expect(scene.linkOf(attacker)).toBe(0)
  })

  test('when either hull destroys itself', () => {
    const attacker = boarder(20)
    const target = victim(20, 20)
    const { world } = scene.small
    latched(attacker, target, 5)
    scene.round()
    world.write(Participant).fate[target] = FATES.indexOf('self_destructed')
    leaveBoarding(world, target)
    expect(boardingNotes(world, scene.battle).at(-1)?.outcome).toBe('target_self_destructed')
    world.write(Participant).fate[target] = 0
    latched(attacker, target, 5)
    scene.round()
    world.write(Participant).fate[attacker] = FATES.indexOf('self_destructed')
    leaveBoarding(world, attacker)
    expect(boardingNotes(world, scene.battle).at(-1)?.outcome).toBe('attacker_destroyed')
  })
})

describe('the public view of a boarding', () => {
  test('shows phase, progress in words and a countdown, but no number of people', () => {
    const attacker = boarder(20)
    const target = victim(20, 20)
    const { world } = scene.small
    scene.board(attacker, target, 20)
    scene.round()
    const [entry] = renderBoardings(world, scene.battle)
    expect(entry).toEqual({
      operation_id: expect.any(String),
      attacker_id: playerId(world, pilot(0)),
      target_id: playerId(world, pilot(1)),
      phase: 'closing',
      progress: 'low',
    })
    setLink(attacker, 'progress', 50)
    expect(renderBoardings(world, scene.battle)[0].progress).toBe('medium')
    setLink(attacker, 'progress', 99)
    expect(renderBoardings(world, scene.battle)[0].progress).toBe('high')
    scene.round()
    expect(renderBoardings(world, scene.battle)[0]).toMatchObject({ phase: 'assault' })
    world.write(Participant).selfDestructTicks[target] = 2
    expect(renderBoardings(world, scene.battle)[0].self_destruct_ticks).toBe(2)
    setLink(attacker, 'committed', 1)
    expect(renderBoardings(world, scene.battle)[0].progress).toBe('low')
    world.write(Ship).crewFit[scene.shipOf(target)] = 1
    world.write(Ship).marinesFit[scene.shipOf(target)] = 0
    expect(renderBoardings(world, scene.battle)[0].progress).toBe('high')
  })
})
