/**
 * How logins end: with their client, by a newer one, by a reset of the password, on this node or on
 * another. The world is sent what it does not know yet. Source: accounts.md section 6, SCALE 5.
 */
import type { EndedLogins } from '../../core/ports.ts'
import type { Params } from '../validate.ts'
import {
  type Client,
  dropSession,
  isBoundOn,
  recordOccasion,
  type Session,
  type SocketClient,
  unbindClient,
} from './session.ts'
import type { Net } from './types.ts'

/** Names this node to the world; a server that stands alone names none. */
export const nodeParam = ({ node }: Net): Params => (node === undefined ? {} : { node })

export function notifyUnbound(net: Net, client: Client, player: number | undefined): void {
  if (player === undefined) return
  const { channel, framing } = client
  const params = { player, channel, ...nodeParam(net) }
  net.link.submit({ player, command: 'internal:unbind', params, framing }, () => true)
}

/** Forgets a client's login, and notifies the world when it was the last client of its channel. */
export function release(net: Net, client: Client): void {
  notifyUnbound(net, client, unbindClient(net.bindings, client))
}

/** Ends a session that has expired or been replaced, or whose player's password was reset. */
export function endSession(net: Net, session: Session, isReplaced: boolean): void {
  dropSession(net.pools, session, isReplaced)
  release(net, session)
}

/**
 * Ends all sessions and connections of a player, and their logins under way (password reset).
 * Resolves, on one node of several, once the journal has it: from then on the others do so, too.
 */
export async function endLogins(net: Net, player: number): Promise<void> {
  const isAlone = net.node === undefined
  const isBound = net.bindings.players.has(player)
  endLoginsHere(net, player)
  // On another node there may be some.
  if (!isBound && isAlone) return
  const command = { command: 'internal:end_logins', params: { player } }
  await new Promise<void>((resolve) => {
    net.link.submit({ player, ...command, framing: 'ws2' }, () => {
      resolve()
      return true
    })
    if (isAlone) resolve()
  })
}

function endLoginsHere(net: Net, player: number): void {
  recordOccasion(net.bindings.resets, player)
  const bound = net.bindings.players.get(player)
  for (const session of [...(bound?.sessions ?? [])]) {
    dropSession(net.pools, session, true)
    unbindClient(net.bindings, session)
  }
  endSocket(net, bound?.socket)
}

function endSocket(net: Net, socket: SocketClient | undefined): void {
  if (!socket) return
  unbindClient(net.bindings, socket)
  socket.close(4001, 'session_replaced')
}

/** Ends what the world says has ended on another node: it knows already. */
export function endedElsewhere(net: Net, { player, what }: EndedLogins): void {
  if (what === 'all') {
    endLoginsHere(net, player)
    return
  }
  recordOccasion(net.bindings.moves, player)
  endSocket(net, net.bindings.players.get(player)?.socket)
}

/** Binds everybody who is logged in here, whom the leader took for gone with their node. */
export function bindAgain(net: Net): void {
  for (const [player, { socket, sessions }] of net.bindings.players) {
    const clients: Client[] = [...(socket ? [socket] : []), ...sessions]
    const byChannel = new Map(clients.map((client) => [client.channel, client]))
    for (const client of byChannel.values()) bindClientAgain(net, player, client)
  }
}

function bindClientAgain(net: Net, player: number, client: Client): void {
  const { channel, framing } = client
  const params = { player, channel, ...nodeParam(net), again: true }
  net.link.submit({ player, command: 'internal:bind', params, framing }, ({ stage, outcome }) => {
    const socket = net.bindings.players.get(player)?.socket
    // The player has logged in elsewhere meanwhile.
    if (!outcome.ok && outcome.code === 'session_invalid' && socket === client)
      endSocket(net, socket)
    // Their login here has ended meanwhile.
    if (outcome.ok && !isBoundOn(net.bindings, player, channel)) notifyUnbound(net, client, player)
    return stage === 'final'
  })
}
