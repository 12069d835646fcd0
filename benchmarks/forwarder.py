"""How exactly does the lab's forwarder keep a delay, and how much passes through it? Needs root; takes half a minute.

One-way delays of UDP packets, sent at a fixed rate from one namespace to another and stamped by the same clock, quiet
and with all processors busy; then one TCP stream. `python benchmarks/forwarder.py`.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from advisor.lab import processes
from advisor.lab.network import emulation, namespaces, round_trips
from advisor.lab.network.emulation import Network

LAB = f"bench-{os.getpid()}"
PORT = 9000
SECONDS = 5.0


def udp_in(space: str) -> socket.socket:
    """A socket that lives in a namespace, made by a thread that ends there."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(
            lambda: (namespaces.enter(space), socket.socket(socket.AF_INET, socket.SOCK_DGRAM))[1]
        ).result()


def one_way_ms(far: Network, rate: int) -> list[float]:
    """Delays of packets of 100 bytes, `rate` a second, sorted; those lost are missing."""
    sender, receiver = udp_in(far.namespace(1)), udp_in(far.namespace(2))
    with sender, receiver:
        receiver.bind((far.address(2), PORT))
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        receiver.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS: when the kernel had it, not when Python ran
        receiver.settimeout(1.0)
        total, delays = int(rate * SECONDS), []

        def receive() -> None:
            try:
                while len(delays) < total:
                    data, extra, _, _ = receiver.recvmsg(200, 64)
                    seconds, nanoseconds = struct.unpack("qq", extra[0][2])
                    delays.append((seconds + nanoseconds / 1e9 - struct.unpack("d", data[:8])[0]) * 1000)
            except TimeoutError:
                return

        thread = threading.Thread(target=receive)
        thread.start()
        began = time.time()
        for number in range(total):
            while time.time() < began + number / rate:
                time.sleep(0.0001)
            sender.sendto(struct.pack("d92x", time.time()), (far.address(2), PORT))
        thread.join()
    return sorted(delays)


def stream_mbit(far: Network, count: int = 200_000_000) -> float:
    """What one TCP stream carries."""

    def made(space: str) -> socket.socket:
        namespaces.enter(space)
        return socket.socket(socket.AF_INET, socket.SOCK_STREAM)

    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        listener, sender = other.submit(made, far.namespace(2)).result(), one.submit(made, far.namespace(1)).result()
        listener.bind((far.address(2), PORT))
        listener.listen()
        sender.connect(listener.getsockname())
        receiver = listener.accept()[0]
        began, got = time.monotonic(), 0
        one.submit(sender.sendall, bytes(count))
        while got < count:
            got += len(receiver.recv(1 << 20))
        seconds = time.monotonic() - began
        for opened in (listener, sender, receiver):
            opened.close()
    return count * 8 / 1e6 / seconds


def cpu_seconds(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def show(what: str, far: Network, pid: int, rate: int) -> None:
    """One line of the table."""
    used = cpu_seconds(pid)
    delays = one_way_ms(far, rate)
    used = cpu_seconds(pid) - used
    at = [delays[min(len(delays) - 1, int(len(delays) * share))] for share in (0.5, 0.99, 0.999)]
    lost = int(rate * SECONDS) - len(delays)
    print(
        f"{what:22} {rate:6}/s  p50 {at[0]:6.2f}  p99 {at[1]:6.2f}  p99.9 {at[2]:6.2f} ms  "
        f"lost {lost}  {used / SECONDS:4.0%} of a processor"
    )


def main() -> None:
    """Print the table."""
    folder = Path(tempfile.mkdtemp()) / LAB
    folder.mkdir()
    far = Network(LAB, emulation.free_number(()), "forwarder", emulation.legs(2, 20.0, {}), (0, 0))
    pid = 0
    try:
        far = emulation.build(far, folder)
        pid = emulation.start_forwarder(folder)
        round_trips.wait_for_way(far)
        print("one way, meant 10 ms")
        for rate in (100, 1000, 5000, 10000):
            show("quiet", far, pid, rate)
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
        try:
            for rate in (1000, 5000):
                show("all processors busy", far, pid, rate)
        finally:
            for one in busy:
                one.kill()
                one.wait()
        print(f"one TCP stream over 20 ms: {stream_mbit(far):.0f} Mbit/s")
    finally:
        processes.end([pid] if pid else [])
        namespaces.remove(LAB)
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()
