/** Radio messages of crews, and who receives them. Source: spec, Events; combat.md section 13. */
import { beforeAll, describe, expect, test } from 'vitest'
import { CREWS, RADIO, type RadioEvent } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { crewIn, listeners, npcName } from '../../../systems/npc/model.ts'
import { broadcast } from '../../../systems/npc/radio-rules.ts'
import { lanesFrom } from '../../../systems/travel/model.ts'
import { StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt } from './scene.ts'

const RECEIVER = 'pirate_radio_receiver'

let small: SmallWorld
let world: World
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})

const takeMessages = () => small.takeEmissions().filter(({ type }) => type === 'pirate_radio')

/** Returns a system this many jumps away. */
function jumpsAway(from: Eid, jumps: number): Eid {
  const seen = new Set([from])
  let ring = [from]
  for (let i = 0; i < jumps; i++) {
    const next = ring.flatMap((system) => lanesFrom(world, system)).filter((to) => !seen.has(to))
    for (const to of next) seen.add(to)
    ring = [...new Set(next)]
  }
  return ring[0]
}

function listener(system: Eid, modules: readonly string[] = [RECEIVER]): Eid {
  const player = small.join(`Listener ${small.players.length}`)
  putAt(world, player, world.read(StarSystem).entryPoi[system], 'surveyor', modules)
  return player
}

/** Broadcasts an event at once; returns the payloads. */
function payloadsOf(event: RadioEvent, system: Eid, actor: Eid = 0) {
  const { emissions } = world.outbox
  const before = emissions.length
  broadcast(world, { event, speaker: 'Test Voice', system, poi: 0, actor, number: 1 })
  return emissions.splice(before).map(({ payload }) => payload as Record<string, string>)
}

describe('pirate_radio', () => {
  test('reports a scout who attacks a small hull, with all its fields', () => {
    const system = freshSystem(small, 0)
    const [scout] = piratesIn(world, system, 'T1')
    const haunt = leaveOnly(world, system, [scout])
    const player = small.join('Overheard')
    putAt(world, player, haunt, 'cutpurse', [RECEIVER])
    small.takeEmissions()
    small.ticks(1)
    const [message] = takeMessages()
    const crew = CREWS[crewIn(world, system)]
    expect(message.to).toContain(world.read(Player).seq[player])
    expect(message.payload).toMatchObject({
      speaker: npcName(world, scout),
      pirate_name: npcName(world, scout),
      source: expect.any(String),
      source_system: expect.any(String),
      source_poi: expect.any(String),
      faction_key: crew.key,
      faction_name: crew.name,
      primary_color: crew.primaryColor,
      secondary_color: crew.secondaryColor,
      event: 'duel',
      event_key: 'duel',
      message: expect.stringMatching(/./),
      provenance: 'observed',
      actor: 'Overheard',
      operation: 'duel',
      reason: 'small_and_alone',
      category: 'operation',
      editorial_class: 'operation',
    })
    expect((message.payload as { message: string }).message).not.toMatch(/[{}]/)
  })

  test('reaches receivers within three jumps for a duel and within seven for a raid', () => {
    const system = freshSystem(small, 0)
    const [at3, at4, at7, at8] = [3, 4, 7, 8].map((jumps) => listener(jumpsAway(system, jumps)))
    const deaf = listener(system, [])
    expect(RADIO.duel.jumps).toBe(3)
    expect(RADIO.raid.jumps).toBe(7)
    const near = listeners(world, system, 3)
    expect(near).toContain(at3)
    expect(near).not.toContain(at4)
    const far = listeners(world, system, 7)
    expect(far).toEqual(expect.arrayContaining([at3, at4, at7]))
    expect(far).not.toContain(at8)
    expect(far).not.toContain(deaf)
  })

  test('reaches nobody who is offline', () => {
    const system = freshSystem(small, 0)
    const player = listener(system)
    expect(listeners(world, system, 0)).toEqual([player])
    world.write(Player).bound[player] = 0
    expect(listeners(world, system, 0)).toEqual([])
    world.write(Player).bound[player] = 1
  })

  test('does not name an anonymous actor', () => {
    const system = freshSystem(small, 0)
    const player = listener(system)
    const name = `Listener ${small.players.length - 1}`
    world.write(Player).anonymous[player] = 1
    const [message] = payloadsOf('kill', system, player)
    expect(message).not.toHaveProperty('actor')
    expect(JSON.stringify(message)).not.toContain(name)
  })

  test('is silent for three ticks after a message from the same system', () => {
    const system = freshSystem(small, 0)
    listener(system)
    const eventsOf = (event: RadioEvent) =>
      payloadsOf(event, system).map((message) => message.event)
    expect(eventsOf('duel')).toEqual(['duel'])
    expect(eventsOf('lost')).toEqual([])
    small.ticks(2)
    expect(eventsOf('lost')).toEqual([])
    small.ticks(1)
    expect(eventsOf('lost')).toEqual(['lost'])
  })

  test('has a message for each event, with the same category in both fields', () => {
    for (const [event, row] of Object.entries(RADIO)) {
      const system = freshSystem(small, 0)
      listener(system)
      const [message] = payloadsOf(event as RadioEvent, system)
      expect(message).toMatchObject({ event, category: row.category })
      expect(message.editorial_class).toBe(message.category)
    }
  })
})
