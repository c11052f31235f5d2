/**
 * `orrery correct`: corrections, which the running server applies between two batches. Each is an
 * input of the journal, with its reason, and is listed in the player's action log.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { createAccounts, type PlayerAccount } from '../storage/accounts.ts'
import { callTools, type ToolReply, UnsentError } from '../storage/tools-channel.ts'
import { REASON_CHARACTERS_MAX } from '../systems/correction/state.ts'
import { wholeFrom } from './command-line.ts'
import { reading, withDatabase } from './database.ts'
import { findAccount, NAMES } from './find.ts'
import { worldAt } from './past.ts'
import { plain } from './shown.ts'
import {
  addTool,
  DATABASE,
  messageOf,
  type Options,
  type Report,
  type Tool,
  type ToolDef,
  ToolError,
} from './tool.ts'

type Params = Readonly<Record<string, unknown>>

/** Checks a reason when the command line is parsed, before the database is opened. */
function reasonText(text: string): string {
  const { length } = [...text.trim()]
  if (length > 0 && length <= REASON_CHARACTERS_MAX) return text
  throw new InvalidArgumentError(`It takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}

const REASON = () =>
  new Option('--reason <text>', 'why; the player reads it')
    .argParser(reasonText)
    .makeOptionMandatory()

/** Parses a whole number other than 0; a negative one takes back. */
function signed(text: string): number {
  const value = Number(text)
  if (/^[-+]?\d+$/.test(text) && Number.isSafeInteger(value) && value !== 0) return value
  throw new InvalidArgumentError('It must be a whole number other than 0: below 0 takes back.')
}

const HELP =
  `${NAMES} Only a running server can apply a correction: once, at the tick that the report\n` +
  'names, as an input of the journal. It is listed in the action log of the player, who is notified.'

/** Has the running server apply a correction to a player. */
async function correct(tool: Tool, name: string, command: string, params: Params): Promise<Report> {
  return withDatabase(tool, async ({ sql }) => {
    const row = await findAccount(createAccounts(sql), name)
    let done: ToolReply
    try {
      const args = { command, params: { player: row.number, ...params } }
      done = await callTools(sql, { kind: 'correct', args })
    } catch (error) {
      const why = messageOf(error)
      if (error instanceof UnsentError) {
        throw new ToolError(`Only a running server can correct: ${why}. Nothing was done.`)
      }
      throw new ToolError(
        `The correction may have been applied, or may still be: ${why}. Check with "npx orrery ` +
          'explain" before you repeat it.',
      )
    }
    if (!done.ok) throw new ToolError(`The server refuses: ${done.text}`)
    const result = done.result as { tick: number; message: string }
    const data = { player_id: row.playerId, username: row.username, ...result }
    return { data, text: plain(`${row.username}, tick ${result.tick}: ${result.message}`) }
  })
}

const grantTool: ToolDef = {
  usage: 'grant <player>',
  summary: 'give a player credits or goods, or take them back',
  help: `Take back with a number below 0: --credits=-500.\n\n${HELP}`,
  settings: DATABASE,
  options: [
    new Option('--credits <count>', 'credits given; below 0 taken back')
      .argParser(signed)
      .conflicts(['item', 'quantity', 'base']),
    new Option('--item <id>', 'goods given or taken back, with --quantity'),
    new Option('--quantity <units>', 'units given; below 0 taken back').argParser(signed),
    new Option('--base <id>', "storage at this base; absent: the hold of the player's ship"),
    REASON(),
  ],
  run(tool, [name], { credits, item, quantity, base, reason }) {
    if ((credits === undefined) === (item === undefined)) {
      throw new UsageError('Say what to give: --credits, or --item with --quantity.')
    }
    if ((item === undefined) !== (quantity === undefined)) {
      throw new UsageError('--item and --quantity must be given together.')
    }
    const goods = item === undefined ? { credits } : { item_id: item, quantity }
    const place = base === undefined ? {} : { base }
    return correct(tool, name, 'grant', { ...goods, ...place, reason })
  },
}

const moveTool: ToolDef = {
  usage: 'move <player>',
  summary: "put a player's ship at another place",
  help: `A flight in progress is cancelled. Refused in battles and matches.\n\n${HELP}`,
  settings: DATABASE,
  options: [
    new Option('--to <id>', 'id of a base, to dock there, or of a place').makeOptionMandatory(),
    REASON(),
  ],
  run: (tool, [name], { to, reason }) => correct(tool, name, 'move', { to, reason }),
}

interface LostShip {
  readonly lost_ship_id: string
  readonly design: string
  readonly modules: readonly string[]
}

/** Describes a ship that a player had in a past world; throws ToolError if they had none such. */
async function lostShip(engine: Engine, row: PlayerAccount, id: string): Promise<LostShip> {
  const { shipById, shipClassOf, modulesOf, moduleTypeOf } = await import(
    '../systems/ship/model.ts'
  )
  const { Ship } = await import('../systems/ship/state.ts')
  const { world, registry } = engine
  const ship = shipById(world, id)
  const player = world.rowOf(registry.players.table, row.number)
  const { owner, issue } = world.read(Ship)
  if (ship === 0 || player === 0 || owner[ship] !== player) {
    throw new ToolError(
      `At tick ${world.tick} ${row.username} had no ship ${id}: name a tick before the loss. ` +
        '"npx orrery explain" shows when a ship was lost, and its id.',
    )
  }
  if (issue[ship] === 1) {
    throw new ToolError('That was a free starter ship: a player who loses one is given another.')
  }
  return {
    lost_ship_id: id,
    design: shipClassOf(world, ship).id,
    modules: modulesOf(world, ship).map((module) => moduleTypeOf(world, module).id),
  }
}

const restoreTool: ToolDef = {
  usage: 'restore-ship <player>',
  summary: 'give a lost ship back to its player, with its modules, docked and empty',
  help:
    'Class and modules are those the ship had at the tick --at, before the loss, by replay. The\n' +
    'ship is undamaged and has a new id; use "correct grant" for what was in its hold.\n' +
    `Refused for a ship that still exists, and for one that was already given back.\n\n${HELP}`,
  settings: DATABASE,
  options: [
    new Option('--ship <id>', 'id of the ship that was lost').makeOptionMandatory(),
    new Option('--at <tick>', 'a tick in which the player had it')
      .argParser(wholeFrom(0))
      .makeOptionMandatory(),
    new Option('--base <id>', 'id of the base to dock it at').makeOptionMandatory(),
    REASON(),
  ],
  async run(tool, [name], options: Options) {
    const { ship, at, base, reason } = options
    const lost = await reading(tool, async (sql) => {
      const row = await findAccount(createAccounts(sql), name)
      return lostShip(await worldAt(tool, sql, at as number), row, String(ship))
    })
    return correct(tool, name, 'restore_ship', { ...lost, base, reason })
  },
}

export function addCorrectTools(parent: Command): void {
  for (const def of [grantTool, moveTool, restoreTool]) addTool(parent, def)
}
