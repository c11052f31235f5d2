/**
 * The routine of a simple miner, one command at a time: fly to the belt, mine until full, return,
 * sell, refuel. Used by load runs and benchmarks.
 */
import type { Client, Params, Reply } from './client.ts'

export interface Miner {
  readonly name: string
  /** The password from the registration. */
  readonly password: string
  readonly client: Client
  /** The next mutation to send. */
  step: 'go' | 'mine' | 'return' | 'sell' | 'refuel'
  beltId: string
  homeId: string
  readonly counts: Record<string, number>
}

/** Refusals that are part of the game, after which the miner continues. */
export const GAME_REFUSALS = new Set([
  'no_cargo_space',
  'depleted',
  'deposit_too_sparse',
  'no_buyers',
  'tank_full',
  'already_there',
  'no_credits',
  'insufficient_items',
  'action_pending',
  'in_transit',
  'no_fuel',
  'station_fuel_empty',
  'already_docked',
  'in_combat',
  'combat_interrupt',
  // A player who was destroyed respawns at home, far from the belt or the destination.
  'not_at_asteroid',
  'wrong_system',
])

const rows = (value: unknown): Params[] => (Array.isArray(value) ? (value as Params[]) : [])

/** Registers a player, and finds the belt and the station of their home system. */
export async function startMiner(client: Client, name: string, empire: string): Promise<Miner> {
  const made = await client.call('register', {
    username: name,
    empire,
    registration_code: 'load',
  })
  if (!made.ok) throw new Error(`cannot register ${name}: ${made.code} ${made.message}`)
  const seen = await client.call('get_system')
  const system = (seen.result.system ?? seen.result) as Params
  const pois = rows(system.pois)
  const belt = pois.find((poi) => poi.type === 'asteroid_belt')
  const home = pois.find((poi) => poi.has_base)
  if (!belt || !home) throw new Error(`no belt or base in the start system of ${name}`)
  return {
    name,
    password: String(made.result.password),
    client,
    step: 'go',
    beltId: String(belt.id),
    homeId: String(home.id),
    counts: {},
  }
}

/** Logs the same miner in on a new connection. */
export async function resumeMiner(client: Client, before: Miner): Promise<Miner> {
  const { name, password } = before
  const back = await client.call('login', { username: name, password })
  if (!back.ok) throw new Error(`cannot log in ${name}: ${back.code} ${back.message}`)
  return { ...before, client, step: 'go' }
}

/** Sends the next mutation of the routine; resolves with its outcome. */
export async function workOn(miner: Miner): Promise<Reply> {
  const reply = await send(miner)
  const key = reply.ok ? `${miner.step} ok` : `${miner.step} ${reply.code}`
  miner.counts[key] = (miner.counts[key] ?? 0) + 1
  miner.step = next(miner, reply)
  return reply
}

async function send(miner: Miner): Promise<Reply> {
  const { client } = miner
  if (miner.step === 'go') return client.call('travel', { target_poi: miner.beltId })
  if (miner.step === 'mine') return client.call('mine')
  if (miner.step === 'return') return client.call('travel', { target_poi: miner.homeId })
  if (miner.step === 'refuel') return client.call('refuel')
  const cargo = await client.call('get_cargo')
  const ore = rows(cargo.result.cargo).find((row) => /ore|ice|gas/.test(String(row.item_id)))
  if (!ore) return client.call('refuel')
  return client.call('sell', { item_id: ore.item_id, quantity: ore.quantity })
}

function next(miner: Miner, reply: Reply): Miner['step'] {
  switch (miner.step) {
    case 'go':
      return reply.ok || reply.code === 'already_there' ? 'mine' : 'refuel'
    case 'mine':
      return reply.ok ? 'mine' : 'return'
    case 'return':
      return reply.ok || reply.code === 'already_there' ? 'sell' : 'refuel'
    case 'sell':
      return reply.ok && reply.result.quantity_sold !== undefined ? 'sell' : 'refuel'
    case 'refuel':
      return 'go'
  }
}
