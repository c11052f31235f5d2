/** A fuzzing player: a driver that is logged in, the ids it may send, and how it logs in again. */
import type { CommandDef } from '../../core/command.ts'
import type { Registry } from '../../core/registry.ts'
import { type Attempt, reachable } from './attempts.ts'
import { type Answer, asJson, type Driver, type Json } from './driver.ts'
import { createHttpDriver, createMcpDriver } from './http-driver.ts'
import type { Patience } from './patience.ts'
import { createSocketDriver, type SocketDriver } from './socket-driver.ts'
import type { Pool } from './values.ts'

export const FRAMINGS = ['ws1', 'ws2', 'http1', 'http2', 'mcp1', 'mcp2'] as const
export type FuzzFraming = (typeof FRAMINGS)[number]

const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const GOODS = ['iron_ore', 'copper_ore', 'fuel_cell', 'water_ice', 'repair_kit', 'no_such_item']

function createDriver(base: string, framing: FuzzFraming): Driver {
  if (framing === 'ws1' || framing === 'ws2') return createSocketDriver(base, framing)
  if (framing === 'http1' || framing === 'http2') return createHttpDriver(base, framing)
  return createMcpDriver(base, framing)
}

export const socketOf = (driver: Driver): SocketDriver | undefined =>
  driver.framing.startsWith('ws') ? (driver as SocketDriver) : undefined

export interface Player {
  readonly driver: Driver
  readonly defs: readonly CommandDef[]
  pool: Pool
  /** The previous attempt. */
  last: Attempt | undefined
  name: string
  password: string
}

export function createPlayer(base: string, framing: FuzzFraming, registry: Registry): Player {
  return {
    driver: createDriver(base, framing),
    defs: reachable(registry.commands.values(), framing),
    pool: { pois: [], systems: [], goods: GOODS, players: ['Nobody At All'] },
    last: undefined,
    name: '',
    password: '',
  }
}

const ids = (rows: unknown, key: string): string[] =>
  Array.isArray(rows) ? rows.map((row: Json) => String(row[key])) : []

/** Sends a command that must be accepted. */
async function sendAccepted(
  player: Player,
  patience: Patience,
  command: string,
  params: Json,
): Promise<Answer> {
  const { driver, defs } = player
  const def = defs.find(({ name }) => name === command)
  if (!def) throw new Error(`${driver.framing} has no ${command}`)
  const message = driver.compose(def, JSON.stringify(params))
  const answer = await patience.within(
    10,
    driver.send(message),
    () => `${command} ${driver.framing}`,
  )
  if (!answer.ok) throw new Error(`${command} on ${driver.framing}: ${answer.text}`)
  return answer
}

/** Registers a new player on a new connection, and looks up the places around them. */
export async function registerPlayer(
  player: Player,
  patience: Patience,
  name: string,
): Promise<void> {
  const { driver } = player
  if (driver.isOpen) await driver.close()
  await driver.open()
  const empire = EMPIRES[name.length % EMPIRES.length]
  const made = await sendAccepted(player, patience, 'register', {
    username: name,
    empire,
    registration_code: 'fuzz',
  })
  player.name = name
  player.password = String(made.result.password)
  const { result } = await sendAccepted(player, patience, 'get_system', {})
  const system = asJson(result.system ?? result)
  player.pool = {
    pois: ids(system.pois, 'id'),
    systems: ids(system.connections, 'system_id'),
    goods: GOODS,
    players: [name, 'Nobody At All'],
  }
}

/** Logs the same player in again, on a new connection or session. */
export async function logInAgain(player: Player, patience: Patience): Promise<void> {
  const { driver, name, password } = player
  if (driver.isOpen) await driver.close()
  await driver.open()
  await sendAccepted(player, patience, 'login', { username: name, password })
}
