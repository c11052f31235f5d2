/** `orrery player, token`: one player as the world and the accounts have it; tokens for testing. */
import { type Command, Option } from 'commander'
import { usernameKey } from '../core/text-rules.ts'
import { type Accounts, createAccounts, type PlayerAccount } from '../storage/accounts.ts'
import type { Sql } from '../storage/db.ts'
import { callTools } from '../storage/tools-channel.ts'
import { reading, withDatabase } from './database.ts'
import { time } from './format.ts'
import {
  addTool,
  DATABASE,
  type Report,
  type ToolDef,
  ToolError,
  UsageError,
  WORLD,
} from './tool.ts'
import { recover } from './world.ts'

const NAMES = 'A player is named by user name, id (UUID) or number.'

/** The account row of a player. */
async function findAccount(accounts: Accounts, name: string): Promise<PlayerAccount> {
  const found =
    (await accounts.findByUsernameKey(usernameKey(name))) ??
    (await accounts.findByPlayerId(name)) ??
    (/^\d{1,15}$/.test(name) ? await accounts.findByNumber(Number(name)) : undefined)
  if (found) return found
  throw new ToolError(`There is no player "${name}". ${NAMES}`)
}

/** Has the running server hide who a player is, or show it again. */
async function setAnonymous(sql: Sql, name: string, word: string): Promise<Report> {
  const row = await findAccount(createAccounts(sql), name)
  const anonymous = word === 'on'
  const args = { player: row.number, anonymous }
  let done: Awaited<ReturnType<typeof callTools>>
  try {
    done = await callTools(sql, { kind: 'anonymous', args })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolError(`Only a running server can set it: ${reason}.`)
  }
  if (!done.ok) throw new ToolError(`The server refuses: ${done.text}`)
  const data = { player_id: row.playerId, username: row.username, anonymous }
  return { data, text: `${row.username} is ${anonymous ? 'anonymous now' : 'shown to all again'}` }
}

const playerTool: ToolDef = {
  usage: 'player <name>',
  summary: 'identity, place, credits, ship, skills and flags of a player, and the account row',
  help: `${NAMES} The world is the newest snapshot with the journal behind it.`,
  settings: WORLD,
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

const tokenTool: ToolDef = {
  usage: 'token [name]',
  summary: 'a token that logs a player in once, without password; or a registration code',
  help:
    `${NAMES}\nFor development: whoever has the token is the player for its five minutes. The\n` +
    'running server on the same database takes it, on WebSocket v2 too.',
  settings: DATABASE,
  options: [
    new Option('--registration <account>', 'registration code of a website account, made if new'),
  ],
  run(tool, [name], options) {
    const account = options.registration as string | undefined
    if ((name === undefined) === (account === undefined)) {
      throw new UsageError('Name a player, or an account with --registration.')
    }
    return withDatabase(tool, async ({ sql }) => {
      const accounts = createAccounts(sql)
      if (account !== undefined) {
        const code = await accounts.registrationCode(account)
        const data = { account_id: account, registration_code: code }
        return { data, text: `registration_code ${code} (account ${account})` }
      }
      const row = await findAccount(accounts, name)
      const { token, expiresAt } = await accounts.issueLoginToken(row.playerId)
      const call = `POST /api/v2/game_auth/login_token ${JSON.stringify({ token })}`
      const data = { player_id: row.playerId, username: row.username, token, expires_at: expiresAt }
      return { data, text: `${call}\nfor ${row.username}, once, until ${time(expiresAt)}` }
    })
  },
}

export function addLookTools(parent: Command): void {
  for (const def of [playerTool, tokenTool]) addTool(parent, def)
}
