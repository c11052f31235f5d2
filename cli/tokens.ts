/**
 * `orrery token player, account, registration, rotate`: what lets a player in without a password,
 * an account holder into the website endpoints, and a new player into an account.
 */
import { type Command, Option } from 'commander'
import { UsageError } from '../config.ts'
import { issueAccountToken, newIssuerKey } from '../net/session/issuer.ts'
import { createAccounts } from '../storage/accounts.ts'
import { wholeFrom } from './command-line.ts'
import { withDatabase } from './database.ts'
import { findAccount, NAMES } from './find.ts'
import { time } from './format.ts'
import { addTool, DATABASE, type ToolDef, ToolError } from './tool.ts'

const HOURS_UNSET = 12
const HOURS_MAX = 720
/** Longest id of an account that is given a token. */
const ID_CHARACTERS_MAX = 200

const playerTool: ToolDef = {
  usage: 'player <name>',
  summary: 'a token that logs a player in once, without password',
  help:
    `${NAMES}\nFor development: who has the token is the player for its five minutes. The\n` +
    'running server on the same database takes it: WebSocket v2, HTTP v2, MCP.',
  settings: DATABASE,
  run: (tool, [name]) =>
    withDatabase(tool, async ({ sql }) => {
      const accounts = createAccounts(sql)
      const row = await findAccount(accounts, name)
      const { token, expiresAt } = await accounts.issueLoginToken(row.playerId)
      const call = `POST /api/v2/game_auth/login_token ${JSON.stringify({ token })}`
      const data = { player_id: row.playerId, username: row.username, token, expires_at: expiresAt }
      return { data, text: `${call}\nfor ${row.username}, once, until ${time(expiresAt)}` }
    }),
}

const hoursOf = (text: string): number => {
  const hours = wholeFrom(1)(text)
  if (hours > HOURS_MAX) throw new UsageError(`A token lasts ${HOURS_MAX} hours at most.`)
  return hours
}

const accountTool: ToolDef = {
  usage: 'account <id>',
  summary: 'a bearer token of a website account, signed by the server itself',
  help:
    'The account is made when the token is first used; any id of yours will do. For servers that\n' +
    'have no identity provider: with AUTH_ISSUER set only that one issues tokens. A running server\n' +
    'takes the token at once: curl -H "Authorization: Bearer TOKEN" .../api/me',
  settings: [...DATABASE, 'AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL'],
  options: [
    new Option('--email <address>', 'e-mail address of the account'),
    new Option('--username <name>', 'name of the account holder'),
    new Option('--hours <count>', `how long it lasts, at most ${HOURS_MAX}`)
      .argParser(hoursOf)
      .default(HOURS_UNSET),
  ],
  run(tool, [account], options) {
    if (tool.config.authIssuer !== undefined) {
      throw new ToolError(
        `Account tokens come from ${tool.config.authIssuer} (AUTH_ISSUER); the server believes ` +
          'none of its own.',
      )
    }
    if (account.trim() === '' || account.length > ID_CHARACTERS_MAX) {
      throw new UsageError(`An account id has 1 to ${ID_CHARACTERS_MAX} characters.`)
    }
    return withDatabase(tool, async ({ sql }) => {
      const key = await createAccounts(sql).issuerKey(newIssuerKey)
      const hours = Number(options.hours)
      const { email, username } = options as { email?: string; username?: string }
      const made = await issueAccountToken(key, { account, hours, email, username })
      const data = { account_id: account, token: made.token, expires_at: made.expiresAt }
      return { data, text: `${made.token}\nfor account ${account}, until ${time(made.expiresAt)}` }
    })
  },
}

const rotateTool: ToolDef = {
  usage: 'rotate',
  summary: 'a new key for account tokens; those signed so far end',
  help:
    'For a key that others may have seen. A running server believes the key it started with:\n' +
    'start it again, and every account token from before is refused. API keys and passwords stay.',
  settings: DATABASE,
  run: (tool) =>
    withDatabase(tool, async ({ sql }) => {
      const key = await newIssuerKey()
      await createAccounts(sql).replaceIssuerKey(key)
      return { data: { kid: key.kid }, text: `key ${key.kid} from the next start of the server` }
    }),
}

const registrationTool: ToolDef = {
  usage: 'registration <account>',
  summary: 'the registration code of a website account, made if there is none',
  settings: DATABASE,
  run: (tool, [account]) =>
    withDatabase(tool, async ({ sql }) => {
      const code = await createAccounts(sql).registrationCode(account)
      const data = { account_id: account, registration_code: code }
      return { data, text: `registration_code ${code} (account ${account})` }
    }),
}

export function addTokenTools(parent: Command): void {
  const token = parent
    .command('token')
    .description('tokens: of a player, of an account; registration codes')
  for (const def of [playerTool, accountTool, registrationTool, rotateTool]) addTool(token, def)
}
