/** A client that logs in, reports that on stdout, and from then on only answers pings. */
import { connect } from '../../bench/clients.ts'
import { newPlayer } from '../e2e/wire.ts'

const client = await connect(process.argv[2], 'ws1')
const { ok } = await client.call('register', newPlayer(`Peer ${process.pid}`))
if (!ok) process.exit(1)
console.log('in')
setInterval(() => client.closed && process.exit(0), 1_000)
