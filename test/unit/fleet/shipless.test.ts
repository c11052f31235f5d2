/** Commands called by a passenger and by a player ashore. Source: factions.md 8. */
import { expect, test } from 'vitest'
import { type CommandDef, commandKey } from '../../../core/command.ts'
import { Player } from '../../../systems/account/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { shiplessRefusal } from '../../../systems/fleet/model.ts'
import { putAshore, rideWith } from '../../../systems/fleet/rules.ts'
import { dockedBase, systemOf } from '../../../systems/travel/location-model.ts'
import { lanesFrom, systemId } from '../../../systems/travel/model.ts'
import { onSmallMap, smallWorld } from '../../small-world.ts'
import { form } from './scene.ts'

onSmallMap()

/** Returns parameters for each action of a command, from the examples of its schema. */
function callsOf(def: CommandDef): Record<string, unknown>[] {
  const { properties } = def.params as unknown as {
    properties: Record<string, { enum?: unknown[]; examples?: unknown[]; type?: string }>
  }
  const filled = Object.fromEntries(
    Object.entries(properties).flatMap(([name, { enum: values, examples, type }]) => {
      const value = values?.[0] ?? examples?.[0] ?? (type === 'boolean' ? true : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const actions = properties.action?.enum ?? [undefined]
  return actions.map((action) => (action === undefined ? filled : { ...filled, action }))
}

test('every command that a player without a ship may call runs without an error', async () => {
  const small = await smallWorld({ players: 3 })
  const { world } = small
  const [ada, ben, cleo] = small.players
  const base = dockedBase(world, ada)
  const faction = foundFaction(world, ada, 'Night Ferries', 'FERY')
  for (const player of [ben, cleo]) addMember(world, player, faction)
  for (const player of [ben, cleo]) {
    world.write(Player).ship[player] = 0
  }
  rideWith(world, ben, ada)
  putAshore(world, cleo, base)
  let called = 0
  for (const def of small.registry.commands.values()) {
    const key = commandKey(def)
    if (def.kind === 'session' || key.startsWith('internal:')) continue
    for (const player of [ben, cleo]) {
      if (shiplessRefusal(world, player, def)) continue
      for (const params of callsOf(def)) {
        if (world.read(Player).ship[player] !== 0) continue
        if (def.kind === 'mutation') small.act(player, key, params)
        else small.ask(player, key, params)
        called++
      }
    }
  }
  expect(called).toBeGreaterThan(200)
  small.ticks(1)
})

test('lists of hulls, tanks and fuel for a route leave out who has no ship', async () => {
  const small = await smallWorld({ players: 2 })
  const { world } = small
  const [ada, ben] = small.players
  const faction = foundFaction(world, ada, 'Night Ferries', 'FERY')
  addMember(world, ben, faction)
  form(small, ada, ben)
  world.write(Player).ship[ben] = 0
  putAshore(world, ben, dockedBase(world, ada))
  const [next] = lanesFrom(world, systemOf(world, ada))
  const target_system = systemId(world, next)
  for (const player of [ada, ben]) {
    for (const command of ['repair', 'refuel']) {
      const { result } = small.act(player, command, { target: 'fleet' }) as unknown as {
        result: { members: { username: string }[] }
      }
      expect(result.members.map(({ username }) => username)).toEqual(['Tester 1'])
    }
    expect(small.ask(player, 'find_route', { target_system })).toMatchObject({
      result: { fleet_fuel: [{ username: 'Tester 1', can_complete: true }] },
    })
  }
})
