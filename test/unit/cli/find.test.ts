/** Which player a tool means by what an operator types. */
import { expect, test } from 'vitest'
import { findAccount } from '../../../cli/find.ts'
import type { Accounts, PlayerAccount } from '../../../storage/accounts.ts'

const PLAYERS = [
  { number: 104, playerId: '00000000-0000-0000-0000-000000000104', username: 'Ada' },
  { number: 7, playerId: '00000000-0000-0000-0000-000000000007', username: '104' },
  { number: 205, playerId: '00000000-0000-0000-0000-000000000205', username: '205' },
] as PlayerAccount[]

const find = async (isMeant: (row: PlayerAccount) => boolean) => PLAYERS.find(isMeant)
const accounts = {
  findByUsernameKey: (key: string) => find(({ username }) => username.toLowerCase() === key),
  findByPlayerId: (id: string) => find(({ playerId }) => playerId === id),
  findByNumber: (number: number) => find((row) => row.number === number),
} as Accounts

test('a player is found by name, id or number', async () => {
  for (const name of ['ADA', PLAYERS[0].playerId]) {
    expect(await findAccount(accounts, name)).toBe(PLAYERS[0])
  }
  expect(await findAccount(accounts, '7')).toBe(PLAYERS[1])
  expect(await findAccount(accounts, '205')).toBe(PLAYERS[2])
  await expect(findAccount(accounts, '9')).rejects.toThrow('There is no player "9"')
})

test('digits that are the name of one player and the number of another are refused', async () => {
  await expect(findAccount(accounts, '104')).rejects.toThrow(
    `"104" is the name of ${PLAYERS[1].playerId} and the number of ${PLAYERS[0].playerId} (Ada)`,
  )
})
