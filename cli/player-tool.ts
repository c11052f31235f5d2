/** `orrery player`: shows one player, from the world and the accounts, or hides who they are. */
import { type Command, Option } from 'commander'
import { createAccounts } from '../storage/accounts.ts'
import type { Sql } from '../storage/db.ts'
import { callTools, type ToolReply, UnsentError } from '../storage/tools-channel.ts'
import { reading, withDatabase } from './database.ts'
import { findAccount, NAMES } from './find.ts'
import { addTool, DATABASE, messageOf, type Report, type ToolDef, ToolError } from './tool.ts'
import { recover } from './world.ts'

/** Has the running server hide the name of a player, or show it again. */
async function setAnonymous(sql: Sql, name: string, word: string): Promise<Report> {
  const row = await findAccount(createAccounts(sql), name)
  const anonymous = word === 'on'
  const args = { player: row.number, anonymous }
  let done: ToolReply
  try {
    done = await callTools(sql, { kind: 'anonymous', args })
  } catch (error) {
    const why = messageOf(error)
    throw new ToolError(
      error instanceof UnsentError
        ? `Only a running server can hide or show a player: ${why}. Nothing was done.`
        : `The change may have been made, or may still be: ${why}. It is safe to repeat it.`,
    )
  }
  if (!done.ok) throw new ToolError(`The server refuses: ${done.text}`)
  const data = { player_id: row.playerId, username: row.username, anonymous }
  return { data, text: `${row.username} is ${anonymous ? 'anonymous now' : 'shown to all again'}` }
}

const playerTool: ToolDef = {
  usage: 'player <name>',
  summary: 'identity, place, credits, ship, skills and flags of a player, and the account row',
  help: `${NAMES} The world is the newest snapshot plus the journal after it.`,
  settings: DATABASE,
  options: [
    new Option(
      '--anonymous <on|off>',
      'have the running server hide who the player is, or show it again',
    ).choices(['on', 'off']),
  ],
  run(tool, [name], { anonymous }) {
    if (anonymous !== undefined) {
      return withDatabase(tool, ({ sql }) => setAnonymous(sql, name, String(anonymous)))
    }
    return reading(tool, async (sql) => {
      const row = await findAccount(createAccounts(sql), name)
      const engine = await recover(tool, sql)
      const { describePlayer, playerText } = await import('./player.ts')
      const data = describePlayer(engine, row)
      return { data, text: playerText(data) }
    })
  },
}

export function addPlayerTool(parent: Command): void {
  addTool(parent, playerTool)
}
