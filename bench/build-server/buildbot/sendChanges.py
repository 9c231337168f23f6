"""Sends a change to the master for each line of its input, over one connection, and prints
the time just before, in nanoseconds. This is what `buildbot sendchange` does, without the
start of Python."""
import sys
import time

from twisted.cred import credentials
from twisted.internet import reactor, stdio
from twisted.protocols.basic import LineOnlyReceiver
from twisted.spread import pb


def say(text):
    print(text, flush=True)


class Lines(LineOnlyReceiver):
    delimiter = b'\n'

    def __init__(self, master):
        self.master = master

    def lineReceived(self, line):
        sent_at = time.time_ns()
        change = {
            'who': 'bench', 'files': [], 'comments': 'bench', 'branch': 'main',
            'revision': line.decode(), 'repository': 'bench', 'project': '',
            'category': None, 'when': None, 'properties': {}, 'revlink': '', 'src': None,
        }
        self.master.callRemote('addChange', change).addCallbacks(
            lambda _: say(sent_at), lambda fault: say(fault.getErrorMessage()))

    def connectionLost(self, reason):
        reactor.stop()


def begin(master):
    stdio.StandardIO(Lines(master))
    say('ready')


factory = pb.PBClientFactory()
factory.login(credentials.UsernamePassword(b'bench', b'bench')).addCallback(begin)
reactor.connectTCP('127.0.0.1', int(sys.argv[1]), factory)
reactor.run()
