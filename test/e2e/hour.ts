/**
 * Plays a player's first hour, the same on each channel: register, undock, travel, mine until full,
 * travel, dock, sell, refuel, jump, chat, log out, log in. A test steps the clock; in real time:
 * `node dist/test/e2e/hour.js --tick-ms 1000`.
 */
import { ok } from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { CHANNELS, type Channel, type Client, type Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { type TestDatabase, testDatabases } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'

const MINED_MAX = 200

export interface Hour {
  /** The tick at which the hour ended. */
  readonly tick: number
  readonly hash: string
  /** What happened, in words: equal on all channels. */
  readonly story: readonly string[]
}

type Play = (client: Client, command: string, params?: Params) => Promise<Params>

const rows = (value: unknown): Params[] => (Array.isArray(value) ? (value as Params[]) : [])

interface PlayerStatus {
  readonly id: string
  readonly docked: boolean
  readonly credits: number
  readonly fuel: number
  readonly maxFuel: number
  readonly systemId: string
}

/** Reads a player's status: v1 answers with the player's records, v2 with sections of the state. */
async function readStatus(client: Client, play: Play): Promise<PlayerStatus> {
  const status = await play(client, 'get_status')
  const player = status.player as Params
  const ship = status.ship as Params
  const location = status.location as Params | undefined
  return {
    id: String(player.id),
    docked: Boolean(location ? location.docked_at : player.docked_at_base),
    credits: Number(player.credits),
    fuel: Number(ship.fuel),
    maxFuel: Number(ship.max_fuel),
    systemId: String(location ? location.system_id : player.current_system),
  }
}

async function mineUntilFull(client: Client, play: Play, story: string[]): Promise<void> {
  for (let i = 0; i < MINED_MAX; i++) {
    const cargo = await play(client, 'get_cargo')
    const ship = (cargo.ship ?? cargo) as Params
    const used = Number(ship.cargo_used ?? cargo.used)
    const capacity = Number(ship.cargo_capacity ?? cargo.capacity)
    ok(Number.isFinite(used) && capacity > 0, `no hold in ${JSON.stringify(cargo)}`)
    if (used >= capacity) {
      story.push(`the hold is full: ${used} of ${capacity} after ${i} times`)
      return
    }
    const mined = await play(client, 'mine')
    story.push(`mined ${JSON.stringify(mined.quantity ?? mined.resources ?? null)}`)
  }
  throw new Error('the hold is never full')
}

async function sellAll(client: Client, play: Play, story: string[]): Promise<void> {
  const cargo = await play(client, 'get_cargo')
  const before = (await readStatus(client, play)).credits
  let isAnySold = false
  for (const { item_id, quantity } of rows(cargo.cargo)) {
    const sold = await play(client, 'sell', { item_id, quantity })
    isAnySold = true
    story.push(`sold ${quantity} ${item_id}: ${JSON.stringify(sold.quantity_sold ?? null)}`)
  }
  ok(isAnySold, 'there is nothing to sell')
  const after = (await readStatus(client, play)).credits
  ok(after > before, `selling earned nothing: ${before}, then ${after}`)
  story.push(`credits ${before}, then ${after}`)
}

/** Plays the hour; every answer must be a success. `play` resolves with a command's result. */
export async function playHour(
  open: () => Promise<Client>,
  play: Play,
  username: string,
): Promise<string[]> {
  const story: string[] = []
  let client = await open()
  const registered = await play(client, 'register', {
    username,
    empire: 'solarian',
    registration_code: 'first-hour',
  })
  ok(/^[0-9a-f]{64}$/.test(String(registered.password)))
  const start = await readStatus(client, play)
  ok(start.docked, 'a new player is docked')
  story.push(`player ${start.id} in ${start.systemId} with ${start.credits}`)
  const answer = await play(client, 'get_system')
  const system = (answer.system ?? answer) as Params
  const pois = rows(system.pois)
  const belt = pois.find((poi) => poi.type === 'asteroid_belt')
  const home = pois.find((poi) => poi.has_base)
  const next = rows(system.connections)[0]
  ok(belt && home && next, 'the start system has a belt, a base and a way out')
  await play(client, 'undock')
  ok(!(await readStatus(client, play)).docked, 'undocked')
  await play(client, 'travel', { target_poi: belt.id })
  await mineUntilFull(client, play, story)
  await play(client, 'travel', { target_poi: home.id })
  await play(client, 'dock')
  ok((await readStatus(client, play)).docked, 'docked')
  await sellAll(client, play, story)
  await play(client, 'refuel')
  const full = await readStatus(client, play)
  ok(full.fuel === full.maxFuel, `refuelled: ${full.fuel} of ${full.maxFuel}`)
  await play(client, 'jump', { target_system: next.system_id })
  const arrived = await readStatus(client, play)
  ok(arrived.systemId === next.system_id, `jumped to ${next.system_id}, not ${arrived.systemId}`)
  story.push(`jumped to ${arrived.systemId} with ${arrived.fuel} fuel left`)
  const content = 'A first hour, well spent.'
  await play(client, 'chat', { channel: 'system', content })
  const history = await play(client, 'get_chat_history', { channel: 'system' })
  ok(JSON.stringify(history).includes(content), 'the chat history has the message')
  await play(client, 'logout')
  await client.close()
  client = await open()
  await play(client, 'login', { username, password: registered.password })
  const back = await readStatus(client, play)
  ok(back.id === start.id && back.systemId === arrived.systemId && back.credits === arrived.credits)
  story.push(`back in ${back.systemId} with ${back.credits} credits`)
  await play(client, 'logout')
  await client.close()
  return story
}

/**
 * Plays the hour on a fresh world whose clock it steps; takes the hash after the player has left.
 */
export async function stepHour(server: TestServer, channel: Channel): Promise<Hour> {
  const play: Play = async (client, command, params) => {
    const reply = await server.play(client, command, params)
    ok(reply.ok, `${command} on ${channel}: ${reply.code} ${reply.message}`)
    return reply.result
  }
  const story = await playHour(() => connect(server.url, channel), play, 'First Hour')
  const { tick, hash } = await server.link.step(1)
  return { tick, hash, story }
}

/** Plays the hour on a running clock, with all channels side by side in one world. */
async function liveHour(server: { readonly url: string }, channel: Channel): Promise<void> {
  const play: Play = async (client, command, params) => {
    const reply = await client.call(command, params)
    ok(reply.ok, `${command} on ${channel}: ${reply.code} ${reply.message}`)
    return reply.result
  }
  await playHour(() => connect(server.url, channel), play, `Hour on ${channel}`)
}

async function liveHours(database: TestDatabase, tickMs: string): Promise<void> {
  const server = await startTestServer(database, {
    settings: { TICKS: 'timer', TICK_MS: tickMs, HASH_EVERY: '1' },
  })
  const since = performance.now()
  await Promise.all(
    CHANNELS.map(async (channel) => {
      await liveHour(server, channel)
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      console.log(`${database.name}: the hour passes on ${channel}, ${seconds} s`)
    }),
  )
  await server.stop()
}

async function main(): Promise<void> {
  const { tickMs } = newTool('node dist/test/e2e/hour.js', 'Plays the first hour in real time.')
    .option('--tick-ms <ms>', 'length of a tick', wholeFrom(50), 1_000)
    .parse()
    .opts<{ tickMs: number }>()
  const databases = await testDatabases()
  try {
    for (const database of databases) await liveHours(database, String(tickMs))
  } finally {
    for (const database of databases) await database.close()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main()
  process.exit(0)
}
