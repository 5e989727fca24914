import net from 'node:net';

/**
 * Sends the connections of a process that go to some ports through proxies, which a test can interrupt. A replica set names the
 * ports of its members itself, so no address can lead its clients through a proxy. `PROXIES` has an object of proxy ports by
 * port.
 */
/* global process */
const proxies = JSON.parse(process.env.PROXIES ?? '{}');
const { createConnection } = net;

net.createConnection = (options, ...rest) =>
  createConnection(
    typeof options === 'object' && options.port in proxies
      ? { ...options, port: proxies[options.port] }
      : options,
    ...rest,
  );
