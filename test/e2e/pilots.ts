/** Connects pilots over real sockets and moves them together while the test steps the clock. */
import type { Client, Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { SPECTATOR_DELAY_MAX } from '../../core/limits-public.ts'
import type { TestServer } from '../servers.ts'
import { newPlayer, request } from './wire.ts'

interface MapSystem {
  readonly id: string
  readonly police_level: number
  readonly connections: string[]
}

/** Reads the public map, which appears some ticks after the start. */
async function readMap(server: TestServer): Promise<MapSystem[]> {
  for (let tick = 0; tick <= SPECTATOR_DELAY_MAX; tick++) {
    const { status, body } = await request(`${server.url}/api/map`)
    if (status === 200) return body.systems as MapSystem[]
    await server.link.step(1)
  }
  throw new Error('the map is not public yet')
}

/** Returns the route from a system to the nearest one without police, as systems to jump to. */
async function wayOut(server: TestServer, from: string): Promise<string[]> {
  const systems = new Map((await readMap(server)).map((system) => [system.id, system]))
  const routes = new Map<string, string[]>([[from, []]])
  // A breadth-first search: the loop also visits the entries that it adds.
  for (const [id, route] of routes) {
    const system = systems.get(id)!
    if (system.police_level === 0) return route
    for (const next of system.connections) if (!routes.has(next)) routes.set(next, [...route, next])
  }
  throw new Error('every reachable system has police')
}

/** Sends a command from each client and steps the clock until all are answered. */
async function playAll(
  server: TestServer,
  clients: readonly Client[],
  command: string,
  params: Params,
): Promise<Params[]> {
  let replies: Params[] | undefined
  const calls = clients.map(async (client) => {
    const reply = await client.call(command, params)
    if (!reply.ok) throw new Error(`${command}: ${reply.code} ${reply.message}`)
    return reply.result
  })
  const all = Promise.all(calls).then((results) => {
    replies = results
  })
  await server.untilPending(clients.length)
  while (!replies) {
    if (server.link.pending() > 0) await server.link.step(1)
    else await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 1))])
  }
  return replies
}

interface Pilot {
  readonly client: Client
  readonly id: string
}

async function join(
  server: TestServer,
  channel: Client['channel'],
  protocol?: string,
): Promise<Pilot> {
  const client = await connect(server.url, channel, protocol === undefined ? {} : { protocol })
  const { ok, result, message } = await client.call('register', {
    ...newPlayer(),
    empire: 'outerrim',
  })
  if (!ok) throw new Error(message)
  return { client, id: String(result.player_id ?? (result.player as Params).id) }
}

/** Returns the functions with which a test drives pilots on its server. */
export const pilotsOn = (server: TestServer) => ({
  join: (channel: Client['channel'], protocol?: string) => join(server, channel, protocol),
  playAll: (clients: readonly Client[], command: string, params: Params = {}) =>
    playAll(server, clients, command, params),
  wayOut: (from: string) => wayOut(server, from),
})
